package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class MySqlDriverUnknownCommitTest extends UnknownCommitTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mysqlDriver);
  }

  @Override
  CuttingRelay openRelay() {
    return CuttingRelay.toMySql(Databases.mariaDbPort());
  }

  @Override
  HikariDataSource poolAt(int port) {
    return Databases.mysqlDriverAt(port);
  }
}
