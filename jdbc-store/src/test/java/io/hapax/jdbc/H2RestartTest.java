package io.hapax.jdbc;

import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A database in the own process dies with the store, so this one is a server. */
@Tag("nightly")
class H2RestartTest extends RestartContract {

  @TempDir
  private Path directory;

  @Override
  protected RestartableStoreFixture open() {
    H2Process server = new H2Process(directory);
    return new RestartableJdbcFixture(server.server(), server);
  }
}
