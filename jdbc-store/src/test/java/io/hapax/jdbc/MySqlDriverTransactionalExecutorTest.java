package io.hapax.jdbc;

class MySqlDriverTransactionalExecutorTest extends TransactionalExecutorTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mysqlDriver);
  }
}
