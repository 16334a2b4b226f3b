package io.hapax.jdbc;

import io.hapax.testkit.ConcurrencyContract;
import io.hapax.testkit.StoreFixture;

class H2ConcurrencyTest extends ConcurrencyContract {

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(Databases::h2InMemory);
  }
}
