package io.hapax.jdbc;

class MariaDbEscapeTest extends HandlerEscapeTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mariaDb);
  }

  @Override
  String commented() {
    return "/* all /* done */ Commit";
  }
}
