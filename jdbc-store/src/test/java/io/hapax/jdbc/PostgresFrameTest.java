package io.hapax.jdbc;

class PostgresFrameTest extends FrameTests {

  @Override
  JdbcFixture open() {
    return new FramedFixture(Databases::postgres);
  }

  @Override
  String limits() {
    return "SELECT current_setting('lock_timeout') || ' '"
        + " || current_setting('idle_in_transaction_session_timeout')";
  }
}
