package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
class MariaDbPurgeTest extends PurgeTests {

  @Parameter
  MariaDbDriver driver;

  @Override
  JdbcFixture open() {
    return new JdbcFixture(driver::pool);
  }
}
