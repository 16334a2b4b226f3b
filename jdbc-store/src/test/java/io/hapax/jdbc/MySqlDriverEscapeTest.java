package io.hapax.jdbc;

class MySqlDriverEscapeTest extends HandlerEscapeTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mysqlDriver);
  }

  @Override
  String commented() {
    return "/* all /* done */ Commit";
  }
}
