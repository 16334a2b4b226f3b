package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgresUnknownCommitTest extends UnknownCommitTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::postgres);
  }

  @Override
  String commit() {
    return "COMMIT\0";
  }

  @Override
  int port() {
    return Databases.postgresPort();
  }

  @Override
  HikariDataSource poolAt(int port) {
    return Databases.postgresAt(port);
  }
}
