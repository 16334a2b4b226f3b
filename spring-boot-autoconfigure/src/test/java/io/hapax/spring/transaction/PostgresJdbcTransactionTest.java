package io.hapax.spring.transaction;

class PostgresJdbcTransactionTest extends JdbcTransactionTests {

  @Override
  TestDatabase database() {
    return TestDatabase.POSTGRES;
  }

  @Override
  String sessionNumber() {
    return "select pg_backend_pid()";
  }

  @Override
  String endSession() {
    return "select pg_terminate_backend(%s)";
  }
}
