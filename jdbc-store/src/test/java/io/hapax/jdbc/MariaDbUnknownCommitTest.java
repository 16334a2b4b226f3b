package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@ParameterizedClass
@EnumSource
class MariaDbUnknownCommitTest extends UnknownCommitTests {

  private final MariaDbDriver driver;

  MariaDbUnknownCommitTest(MariaDbDriver driver) {
    this.driver = driver;
  }

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
