package io.hapax.jdbc;

import java.util.UUID;

class MariaDbDeadlockTest extends DeadlockTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mariaDb);
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
