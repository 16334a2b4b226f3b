package io.hapax.jdbc;

class MariaDbTransactionTest extends MySqlTransactionTests {

  MariaDbDriver driver() {
    return MariaDbDriver.MARIADB;
  }

  @Override
  JdbcFixture open() {
    return new JdbcFixture(driver()::pool);
  }
}
