package io.hapax.jdbc;

import java.util.UUID;
import org.junit.jupiter.api.Tag;

@Tag("matrix")
class MySqlDriverDeadlockTest extends DeadlockTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mysqlDriver);
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
