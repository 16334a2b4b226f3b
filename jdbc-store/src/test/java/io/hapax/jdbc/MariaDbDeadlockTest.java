package io.hapax.jdbc;

import java.util.UUID;

class MariaDbDeadlockTest extends DeadlockTests {

  MariaDbDriver driver() {
    return MariaDbDriver.MARIADB;
  }

  @Override
  JdbcFixture open() {
    return new JdbcFixture(driver()::pool);
  }

  @Override
  String countBlocked() {
    return MySqlTransactionTests.COUNT_BLOCKED;
  }

  @Override
  Object bound(UUID key) {
    return new JsonRows(1 << 24).bound(key);
  }
}
