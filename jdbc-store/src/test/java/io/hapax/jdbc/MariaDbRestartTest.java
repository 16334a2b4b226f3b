package io.hapax.jdbc;

import io.hapax.servers.LocalMariaDb;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;
import org.junit.jupiter.params.Parameter;

@TestDatabase.OnMariaDb
class MariaDbRestartTest extends RestartContract {

  @Parameter
  TestDatabase database;

  @Override
  protected RestartableStoreFixture open() {
    LocalMariaDb server = LocalMariaDb.start();
    return new RestartableJdbcFixture(
        Databases.mariaDbServer(server, database.urlOn(server)), server);
  }
}
