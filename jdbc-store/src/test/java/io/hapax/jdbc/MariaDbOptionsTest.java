package io.hapax.jdbc;

/** With counts of what really changed, and prepared statements on the server. */
@TestDatabase.OnMariaDb
class MariaDbOptionsTest extends MySqlTransactionTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(
        () -> database.mariaDbWith("?useAffectedRows=true&useServerPrepStmts=true"));
  }
}
