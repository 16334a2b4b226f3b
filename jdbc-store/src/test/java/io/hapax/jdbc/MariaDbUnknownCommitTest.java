package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
class MariaDbUnknownCommitTest extends UnknownCommitTests {

  @Parameter
  MariaDbDriver driver;

  @Override
  JdbcFixture open() {
    return new JdbcFixture(driver::pool);
  }

  @Override
  String commit() {
    return "\3COMMIT";
  }

  @Override
  int port() {
    return Databases.mariaDbPort();
  }

  @Override
  HikariDataSource poolAt(int port) {
    return driver.poolAt(port);
  }
}
