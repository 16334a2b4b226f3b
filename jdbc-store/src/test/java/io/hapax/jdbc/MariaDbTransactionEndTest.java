package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
class MariaDbTransactionEndTest extends TransactionEndTests {

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

  /** In a deadlock, InnoDB rolls the transaction back that has written less. */
  @Override
  String patient() {
    return "INSERT INTO effects (id) VALUES ('x')" + ", ('x')".repeat(100);
  }
}
