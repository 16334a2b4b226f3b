package io.hapax.jdbc;

import java.util.List;

class MariaDbSlowHandlerTest extends SlowHandlerTests {

  MariaDbDriver driver() {
    return MariaDbDriver.MARIADB;
  }

  @Override
  JdbcFixture open() {
    return new JdbcFixture(driver()::pool);
  }

  @Override
  String ownSession() {
    return "SELECT connection_id()";
  }

  @Override
  String countSessions() {
    return "SELECT count(*) FROM information_schema.PROCESSLIST WHERE ID = ";
  }

  @Override
  String endSession() {
    return "KILL ";
  }

  @Override
  List<String> otherLimits() {
    return List.of("SET idle_transaction_timeout = 1", "SET idle_write_transaction_timeout = 1");
  }
}
