package io.hapax.spring.transaction;

import org.junit.jupiter.api.Tag;

@Tag("nightly")
class MariaDbJpaTransactionTest extends JpaTransactionTests {

  @Override
  TestDatabase database() {
    return TestDatabase.MARIADB;
  }
}
