package io.hapax.spring.transaction;

class MariaDbJdbcTransactionTest extends JdbcTransactionTests {

  @Override
  TestDatabase database() {
    return TestDatabase.MARIADB;
  }
}
