package io.hapax.jdbc;

class MariaDbEscapeTest extends HandlerEscapeTests {

  MariaDbDriver driver() {
    return MariaDbDriver.MARIADB;
  }

  @Override
  JdbcFixture open() {
    return new JdbcFixture(driver()::pool);
  }

  @Override
  String commented() {
    return "/* all /* done */ Commit";
  }
}
