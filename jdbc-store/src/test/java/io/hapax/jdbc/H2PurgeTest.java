package io.hapax.jdbc;

class H2PurgeTest extends PurgeTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::h2InMemory);
  }
}
