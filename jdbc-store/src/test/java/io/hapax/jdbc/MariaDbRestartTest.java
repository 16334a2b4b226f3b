package io.hapax.jdbc;

import io.hapax.servers.LocalMariaDb;
import io.hapax.testkit.RestartContract;
import io.hapax.testkit.RestartableStoreFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
class MariaDbRestartTest extends RestartContract {

  @Parameter
  MariaDbDriver driver;

  @Override
  protected RestartableStoreFixture open() {
    LocalMariaDb server = LocalMariaDb.start();
    return new RestartableJdbcFixture(Databases.mariaDbServer(server, driver.url(server)), server);
  }
}
