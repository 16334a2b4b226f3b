package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalPostgres;

class PostgresServerRestartTest extends ServerRestartTests {

  private final LocalPostgres server = LocalPostgres.start();

  @Override
  HikariDataSource start() {
    return Databases.postgres(server, server.jdbcUrl());
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
