package io.hapax.jdbc;

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
