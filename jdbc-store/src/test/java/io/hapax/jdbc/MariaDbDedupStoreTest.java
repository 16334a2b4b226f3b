package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;

/** MariaDB through its own driver. */
class MariaDbDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(Databases::mariaDb);
  }
}
