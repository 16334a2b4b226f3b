package io.hapax.jdbc;

import io.hapax.testkit.ConcurrencyContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.params.Parameter;

@TestDatabase.InEachBuild
class JdbcConcurrencyTest extends ConcurrencyContract {

  @Parameter
  TestDatabase database;

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(database::pool);
  }
}
