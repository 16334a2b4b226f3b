package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalMariaDb;

class MariaDbServerRestartTest extends ServerRestartTests {

  MariaDbDriver driver() {
    return MariaDbDriver.MARIADB;
  }

  private final LocalMariaDb server = LocalMariaDb.start();

  @Override
  HikariDataSource start() {
    return Databases.mariaDb(server, driver().url(server));
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
