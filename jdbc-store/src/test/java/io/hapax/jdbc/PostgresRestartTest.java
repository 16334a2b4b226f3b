package io.hapax.jdbc;

import io.hapax.servers.LocalPostgres;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;

class PostgresRestartTest extends RestartContract {

  @Override
  protected RestartableStoreFixture open() {
    LocalPostgres server = LocalPostgres.start();
    return new RestartableJdbcFixture(Databases.postgresServer(server), server);
  }
}
