package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.StoreFixture;

class H2DedupStoreTest extends DedupStoreContract {

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(Databases::h2InMemory);
  }
}
