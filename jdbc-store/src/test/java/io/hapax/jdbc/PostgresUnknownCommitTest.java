package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgresUnknownCommitTest extends UnknownCommitTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::postgres);
  }

  @Override
  CuttingRelay openRelay() {
    return CuttingRelay.toPostgres(Databases.postgresPort());
  }

  @Override
  HikariDataSource poolAt(int port) {
    return Databases.postgresAt(port);
  }
}
