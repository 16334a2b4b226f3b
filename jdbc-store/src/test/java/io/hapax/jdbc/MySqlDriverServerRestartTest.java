package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalMariaDb;
import org.junit.jupiter.api.Tag;

@Tag("matrix")
class MySqlDriverServerRestartTest extends ServerRestartTests {

  private final LocalMariaDb server = LocalMariaDb.start();

  @Override
  HikariDataSource start() {
    server.createDatabase("marks");
    return Databases.mariaDb(server, server.mysqlUrl("marks"));
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
