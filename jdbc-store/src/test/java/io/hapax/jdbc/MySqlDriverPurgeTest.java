package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("matrix")
class MySqlDriverPurgeTest extends PurgeTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mysqlDriver);
  }
}
