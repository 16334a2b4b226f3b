package io.hapax.jdbc;

import io.hapax.testkit.ListenableWayContract;
import io.hapax.testkit.LossyWayContract;
import io.hapax.testkit.RemoteStoreFixture;

/** H2 as a server: a database in the own process has no way that could fail. */
class H2LossyWayTest extends LossyWayContract implements ListenableWayContract {

  @Override
  protected RemoteStoreFixture open() {
    return new RemoteJdbcFixture(Databases.h2Server());
  }
}
