package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalMariaDb;
import org.junit.jupiter.params.Parameter;

@TestDatabase.OnMariaDb
class MariaDbServerRestartTest extends ServerRestartTests {

  @Parameter
  TestDatabase database;

  private final LocalMariaDb server = LocalMariaDb.start();

  @Override
  HikariDataSource start() {
    return Databases.mariaDb(server, database.urlOn(server));
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
