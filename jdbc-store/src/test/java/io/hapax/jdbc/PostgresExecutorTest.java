package io.hapax.jdbc;

import io.hapax.testkit.ExecutorContract;
import io.hapax.testkit.StoreFixture;

class PostgresExecutorTest extends ExecutorContract {

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(Databases::postgres);
  }
}
