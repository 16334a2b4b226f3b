package io.hapax.jdbc;

import java.util.UUID;

class PostgresDeadlockTest extends DeadlockTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::postgres);
  }

  @Override
  String countBlocked() {
    return "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
  }

  @Override
  Object bound(UUID key) {
    return key;
  }
}
