package io.hapax.spring.transaction;

class PostgresJpaTransactionTest extends JpaTransactionTests {

  @Override
  TestDatabase database() {
    return TestDatabase.POSTGRES;
  }
}
