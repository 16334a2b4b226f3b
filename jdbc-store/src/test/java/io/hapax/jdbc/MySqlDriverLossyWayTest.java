package io.hapax.jdbc;

import io.hapax.testkit.ListenableWayContract;
import io.hapax.testkit.LossyWayContract;
import io.hapax.testkit.RemoteStoreFixture;
import org.junit.jupiter.api.Tag;

/** MariaDB through the driver of MySQL. */
@Tag("matrix")
class MySqlDriverLossyWayTest extends LossyWayContract implements ListenableWayContract {

  @Override
  protected RemoteStoreFixture open() {
    return new RemoteJdbcFixture(Databases.mysqlDriverServer());
  }
}
