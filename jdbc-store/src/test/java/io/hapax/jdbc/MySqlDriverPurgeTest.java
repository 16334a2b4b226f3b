package io.hapax.jdbc;

class MySqlDriverPurgeTest extends PurgeTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mysqlDriver);
  }
}
