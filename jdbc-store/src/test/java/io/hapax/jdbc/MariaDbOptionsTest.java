package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** With counts of what really changed, and prepared statements on the server. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
class MariaDbOptionsTest extends MySqlTransactionTests {

  @Parameter
  MariaDbDriver driver;

  @Override
  JdbcFixture open() {
    return new JdbcFixture(() -> driver.poolWith("?useAffectedRows=true&useServerPrepStmts=true"));
  }
}
