package io.hapax.jdbc;

/** With counts of what really changed, and prepared statements on the server. */
class MariaDbOptionsTest extends MySqlTransactionTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(
        () -> Databases.mariaDbWith("?useAffectedRows=true&useServerPrepStmts=true"));
  }
}
