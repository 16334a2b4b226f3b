package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("nightly")
class MariaDbFrameTest extends FrameTests {

  @Override
  JdbcFixture open() {
    return new FramedFixture(Databases::mariaDb);
  }

  @Override
  String limits() {
    return "SELECT CONCAT(@@session.innodb_lock_wait_timeout, ' ', @@session.wait_timeout)";
  }
}
