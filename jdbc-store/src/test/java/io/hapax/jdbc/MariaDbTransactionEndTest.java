package io.hapax.jdbc;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@ParameterizedClass
@EnumSource
class MariaDbTransactionEndTest extends TransactionEndTests {

  private final MariaDbDriver driver;

  MariaDbTransactionEndTest(MariaDbDriver driver) {
    this.driver = driver;
  }

  @Override
  JdbcFixture open() {
    return new JdbcFixture(driver::pool);
  }

  @Override
  String countBlocked() {
    return MySqlTransactionTests.COUNT_BLOCKED;
  }

  /** InnoDB breaks off whoever has written less. */
  @Override
  String patient() {
    return "INSERT INTO effects (id) VALUES ('x')" + ", ('x')".repeat(100);
  }
}
