package io.hapax.jdbc;

class PostgresPurgeTest extends PurgeTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::postgres);
  }
}
