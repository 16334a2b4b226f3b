package io.hapax.jdbc;

import java.util.List;

class PostgresSlowHandlerTest extends SlowHandlerTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::postgres);
  }

  @Override
  String ownSession() {
    return "SELECT pg_backend_pid()";
  }

  @Override
  String countSessions() {
    return "SELECT count(*) FROM pg_stat_activity WHERE pid = ";
  }

  @Override
  String endSession() {
    return "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ";
  }

  @Override
  List<String> otherLimits() {
    return List.of("SET transaction_timeout = '1s'");
  }
}
