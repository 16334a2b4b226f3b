package io.hapax.jdbc;

import io.hapax.servers.LocalMariaDb;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;
import org.junit.jupiter.api.Tag;

/** MariaDB through the driver of MySQL. */
@Tag("matrix")
class MySqlDriverRestartTest extends RestartContract {

  @Override
  protected RestartableStoreFixture open() {
    LocalMariaDb server = LocalMariaDb.start();
    server.createDatabase("marks");
    return new RestartableJdbcFixture(
        Databases.mariaDbServer(server, server.mysqlUrl("marks")), server);
  }
}
