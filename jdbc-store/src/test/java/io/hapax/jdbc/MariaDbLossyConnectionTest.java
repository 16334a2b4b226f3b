package io.hapax.jdbc;

import io.hapax.testkit.ListenableConnectionContract;
import io.hapax.testkit.LossyConnectionContract;
import io.hapax.testkit.RemoteStoreFixture;

class MariaDbLossyConnectionTest extends LossyConnectionContract
    implements ListenableConnectionContract {

  MariaDbDriver driver() {
    return MariaDbDriver.MARIADB;
  }

  @Override
  protected RemoteStoreFixture open() {
    return new RemoteJdbcFixture(driver().server());
  }
}
