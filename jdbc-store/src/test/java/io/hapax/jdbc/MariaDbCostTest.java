package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("nightly")
class MariaDbCostTest extends CostTests {

  MariaDbCostTest() {
    super("MariaDB", Databases::mariaDbServer);
  }
}
