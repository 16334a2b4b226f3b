package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

/** MariaDB through the driver of MySQL. */
@Tag("matrix")
class MySqlDriverServerRestartTest extends MariaDbServerRestartTest {

  @Override
  MariaDbDriver driver() {
    return MariaDbDriver.MYSQL;
  }
}
