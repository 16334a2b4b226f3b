package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class MariaDbUnknownCommitTest extends UnknownCommitTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mariaDb);
  }

  @Override
  CuttingRelay openRelay() {
    return CuttingRelay.toMySql(Databases.mariaDbPort());
  }

  @Override
  HikariDataSource poolAt(int port) {
    return Databases.mariaDbAt(port);
  }
}
