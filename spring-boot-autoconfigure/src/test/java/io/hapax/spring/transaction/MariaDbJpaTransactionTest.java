package io.hapax.spring.transaction;

class MariaDbJpaTransactionTest extends JpaTransactionTests {

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
