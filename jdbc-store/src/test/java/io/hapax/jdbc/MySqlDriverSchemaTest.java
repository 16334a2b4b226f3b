package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

/** MariaDB through the driver of MySQL. */
@Tag("nightly")
class MySqlDriverSchemaTest extends MariaDbSchemaTest {

  @Override
  MariaDbDriver driver() {
    return MariaDbDriver.MYSQL;
  }
}
