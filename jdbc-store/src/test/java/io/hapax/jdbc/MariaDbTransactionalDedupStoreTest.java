package io.hapax.jdbc;

import io.hapax.testkit.ListenableTransactionsContract;
import io.hapax.testkit.TransactionalDedupStoreContract;
import io.hapax.testkit.TransactionalStoreFixture;
import java.sql.Connection;

class MariaDbTransactionalDedupStoreTest extends TransactionalDedupStoreContract<Connection>
    implements ListenableTransactionsContract<Connection> {

  MariaDbDriver driver() {
    return MariaDbDriver.MARIADB;
  }

  @Override
  protected TransactionalStoreFixture<Connection> open() {
    return new JdbcFixture(driver()::pool);
  }
}
