package io.hapax.jdbc;

import io.hapax.testkit.ListenableWayContract;
import io.hapax.testkit.LossyWayContract;
import io.hapax.testkit.RemoteStoreFixture;

class MariaDbLossyWayTest extends LossyWayContract implements ListenableWayContract {

  MariaDbDriver driver() {
    return MariaDbDriver.MARIADB;
  }

  @Override
  protected RemoteStoreFixture open() {
    return new RemoteJdbcFixture(driver().server());
  }
}
