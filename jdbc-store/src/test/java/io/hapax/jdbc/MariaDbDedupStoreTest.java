package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;

class MariaDbDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  MariaDbDriver driver() {
    return MariaDbDriver.MARIADB;
  }

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(driver()::pool);
  }
}
