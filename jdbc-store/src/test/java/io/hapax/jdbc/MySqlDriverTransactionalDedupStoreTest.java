package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

/** MariaDB through the driver of MySQL. */
@Tag("nightly")
class MySqlDriverTransactionalDedupStoreTest extends MariaDbTransactionalDedupStoreTest {

  @Override
  MariaDbDriver driver() {
    return MariaDbDriver.MYSQL;
  }
}
