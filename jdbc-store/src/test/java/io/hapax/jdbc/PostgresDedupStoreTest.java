package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;

class PostgresDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(Databases::postgres);
  }
}
