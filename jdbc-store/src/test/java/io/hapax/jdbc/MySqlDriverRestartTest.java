package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

/** MariaDB through the driver of MySQL. */
@Tag("nightly")
class MySqlDriverRestartTest extends MariaDbRestartTest {

  @Override
  MariaDbDriver driver() {
    return MariaDbDriver.MYSQL;
  }
}
