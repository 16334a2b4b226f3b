package io.hapax.jdbc;

import io.hapax.testkit.ListenableConnectionContract;
import io.hapax.testkit.LossyConnectionContract;
import io.hapax.testkit.RemoteStoreFixture;

class PostgresLossyConnectionTest extends LossyConnectionContract
    implements ListenableConnectionContract {

  @Override
  protected RemoteStoreFixture open() {
    return new RemoteJdbcFixture(Databases.postgresServer());
  }
}
