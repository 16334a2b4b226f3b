package io.hapax.jdbc;

class MariaDbPurgeTest extends PurgeTests {

  MariaDbDriver driver() {
    return MariaDbDriver.MARIADB;
  }

  @Override
  JdbcFixture open() {
    return new JdbcFixture(driver()::pool);
  }
}
