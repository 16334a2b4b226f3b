package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

/** MariaDB through the driver of MySQL. */
@Tag("nightly")
class MySqlDriverLossyTransactionTest extends MariaDbLossyTransactionTest {

  @Override
  MariaDbDriver driver() {
    return MariaDbDriver.MYSQL;
  }
}
