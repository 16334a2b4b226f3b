package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalMariaDb;

class MariaDbServerRestartTest extends ServerRestartTests {

  private final LocalMariaDb server = LocalMariaDb.start();

  @Override
  HikariDataSource start() {
    return Databases.mariaDb(server, server.createDatabase("marks"));
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
