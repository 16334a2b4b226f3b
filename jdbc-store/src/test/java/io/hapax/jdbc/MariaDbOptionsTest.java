package io.hapax.jdbc;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** With counts of what really changed, and prepared statements on the server. */
@ParameterizedClass
@EnumSource
class MariaDbOptionsTest extends MySqlTransactionTests {

  private final MariaDbDriver driver;

  MariaDbOptionsTest(MariaDbDriver driver) {
    this.driver = driver;
  }

  @Override
  JdbcFixture open() {
    return new JdbcFixture(() -> driver.poolWith("?useAffectedRows=true&useServerPrepStmts=true"));
  }
}
