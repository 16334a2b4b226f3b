package io.hapax.spring.transaction;

class PostgresJdbcTransactionTest extends JdbcTransactionTests {

  @Override
  TestDatabase database() {
    return TestDatabase.POSTGRES;
  }
}
