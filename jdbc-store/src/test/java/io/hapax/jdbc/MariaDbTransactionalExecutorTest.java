package io.hapax.jdbc;

class MariaDbTransactionalExecutorTest extends TransactionalExecutorTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mariaDb);
  }
}
