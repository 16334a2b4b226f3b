package io.hapax.jdbc;

import io.hapax.servers.LocalMariaDb;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;

class MariaDbRestartTest extends RestartContract {

  @Override
  protected RestartableStoreFixture open() {
    LocalMariaDb server = LocalMariaDb.start();
    return new RestartableJdbcFixture(
        Databases.mariaDbServer(server, server.createDatabase("marks")), server);
  }
}
