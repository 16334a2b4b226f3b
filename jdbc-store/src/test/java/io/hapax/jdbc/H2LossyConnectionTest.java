package io.hapax.jdbc;

import io.hapax.testkit.ListenableConnectionContract;
import io.hapax.testkit.LossyConnectionContract;
import io.hapax.testkit.RemoteStoreFixture;
import org.junit.jupiter.api.Tag;

/** H2 as a server: a database in the own process has no way that could fail. */
@Tag("nightly")
class H2LossyConnectionTest extends LossyConnectionContract
    implements ListenableConnectionContract {

  @Override
  protected RemoteStoreFixture open() {
    return new RemoteJdbcFixture(Databases.h2Server());
  }
}
