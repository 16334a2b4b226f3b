package io.hapax.jdbc;

import io.hapax.testkit.ConcurrencyContract;
import io.hapax.testkit.StoreFixture;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class MariaDbConcurrencyTest extends ConcurrencyContract {

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(Databases::mariaDb);
  }
}
