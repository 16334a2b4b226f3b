package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;

class H2DedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(Databases::h2InMemory);
  }
}
