package io.hapax.jdbc;

import io.hapax.servers.LocalH2;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;
import org.junit.jupiter.api.Tag;

/** A database in the own process dies with the store, so this one is a server. */
@Tag("nightly")
class H2RestartTest extends RestartContract {

  @Override
  protected RestartableStoreFixture open() {
    LocalH2 server = LocalH2.start();
    return RestartableJdbcFixture.sharingOneConnection(
        new DatabaseServer(server.jdbcUrl("marks"), server.port(), "sa", "", ""), server);
  }
}
