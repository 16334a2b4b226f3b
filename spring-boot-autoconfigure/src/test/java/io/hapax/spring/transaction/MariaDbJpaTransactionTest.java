package io.hapax.spring.transaction;

class MariaDbJpaTransactionTest extends JpaTransactionTests {

  @Override
  TestDatabase database() {
    return TestDatabase.MARIADB;
  }
}
