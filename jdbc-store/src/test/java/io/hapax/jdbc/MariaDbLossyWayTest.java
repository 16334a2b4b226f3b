package io.hapax.jdbc;

import io.hapax.testkit.ListenableWayContract;
import io.hapax.testkit.LossyWayContract;
import io.hapax.testkit.RemoteStoreFixture;

/** MariaDB through its own driver. */
class MariaDbLossyWayTest extends LossyWayContract implements ListenableWayContract {

  @Override
  protected RemoteStoreFixture open() {
    return new RemoteJdbcFixture(Databases.mariaDbServer());
  }
}
