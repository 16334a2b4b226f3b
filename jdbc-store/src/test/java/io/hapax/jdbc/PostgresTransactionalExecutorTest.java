package io.hapax.jdbc;

class PostgresTransactionalExecutorTest extends TransactionalExecutorTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::postgres);
  }
}
