package io.hapax.jdbc;

import io.hapax.testkit.LossyTransactionContract;
import io.hapax.testkit.RemoteTransactionalStoreFixture;
import java.sql.Connection;

class MariaDbLossyTransactionTest extends LossyTransactionContract<Connection> {

  MariaDbDriver driver() {
    return MariaDbDriver.MARIADB;
  }

  @Override
  protected RemoteTransactionalStoreFixture<Connection> open() {
    return new RemoteJdbcFixture(driver().server());
  }
}
