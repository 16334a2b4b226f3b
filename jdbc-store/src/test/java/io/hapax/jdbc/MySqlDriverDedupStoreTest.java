package io.hapax.jdbc;

import io.hapax.testkit.DedupStoreContract;
import io.hapax.testkit.ListenableStoreContract;
import io.hapax.testkit.StoreFixture;

/** MariaDB through the driver of MySQL. */
class MySqlDriverDedupStoreTest extends DedupStoreContract implements ListenableStoreContract {

  @Override
  protected StoreFixture open() {
    return new JdbcFixture(Databases::mysqlDriver);
  }

  @Override
  public int histories() {
    return 60;
  }
}
