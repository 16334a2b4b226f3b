package io.hapax.jdbc;

import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
class MariaDbDeadlockTest extends DeadlockTests {

  @Parameter
  MariaDbDriver driver;

  @Override
  JdbcFixture open() {
    return new JdbcFixture(driver::pool);
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
