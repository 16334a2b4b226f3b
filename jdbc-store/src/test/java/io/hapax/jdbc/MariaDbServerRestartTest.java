package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalMariaDb;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
class MariaDbServerRestartTest extends ServerRestartTests {

  @Parameter
  MariaDbDriver driver;

  private final LocalMariaDb server = LocalMariaDb.start();

  @Override
  HikariDataSource start() {
    return Databases.mariaDb(server, driver.url(server));
  }

  @Override
  void kill() {
    server.kill();
  }

  @Override
  void restart() {
    server.restart();
  }

  @Override
  void stop() {
    server.close();
  }
}
