package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

/** MariaDB through the driver of MySQL. */
@Tag("nightly")
class MySqlDriverCostTest extends CostTests {

  MySqlDriverCostTest() {
    super("MariaDB, MySQL's driver", Databases::mysqlDriverServer);
  }
}
