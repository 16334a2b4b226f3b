package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class MariaDbUnknownCommitTest extends UnknownCommitTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mariaDb);
  }

  @Override
  String commit() {
    return "\3COMMIT";
  }

  @Override
  int port() {
    return Databases.mariaDbPort();
  }

  @Override
  HikariDataSource poolAt(int port) {
    return Databases.mariaDbAt(port);
  }
}
