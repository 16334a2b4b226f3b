package io.hapax.spring.transaction;

class MariaDbJdbcTransactionTest extends JdbcTransactionTests {

  @Override
  TestDatabase database() {
    return TestDatabase.MARIADB;
  }

  @Override
  String sessionNumber() {
    return "select connection_id()";
  }

  @Override
  String endSession() {
    return "kill %s";
  }
}
