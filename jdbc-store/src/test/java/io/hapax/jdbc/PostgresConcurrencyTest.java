package io.hapax.jdbc;

import io.hapax.testkit.ConcurrencyContract;
import io.hapax.testkit.StoreFixture;

class PostgresConcurrencyTest extends ConcurrencyContract {

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(Databases::postgres);
  }
}
