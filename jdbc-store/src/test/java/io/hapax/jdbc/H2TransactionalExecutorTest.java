package io.hapax.jdbc;

class H2TransactionalExecutorTest extends TransactionalExecutorTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::h2InMemory);
  }
}
