package io.hapax.jdbc;

class MariaDbPurgeTest extends PurgeTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mariaDb);
  }
}
