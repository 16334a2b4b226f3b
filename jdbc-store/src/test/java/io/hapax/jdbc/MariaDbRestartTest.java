package io.hapax.jdbc;

import io.hapax.servers.LocalMariaDb;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;

class MariaDbRestartTest extends RestartContract {

  MariaDbDriver driver() {
    return MariaDbDriver.MARIADB;
  }

  @Override
  protected RestartableStoreFixture open() {
    LocalMariaDb server = LocalMariaDb.start();
    return new RestartableJdbcFixture(
        Databases.mariaDbServer(server, driver().url(server)), server);
  }
}
