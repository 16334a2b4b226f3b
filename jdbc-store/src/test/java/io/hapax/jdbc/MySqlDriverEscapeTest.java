package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("matrix")
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
