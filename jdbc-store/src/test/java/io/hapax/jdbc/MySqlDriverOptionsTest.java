package io.hapax.jdbc;

/** With counts of what really changed, and prepared statements on the server. */
class MySqlDriverOptionsTest extends MySqlTransactionTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(
        () -> Databases.mysqlDriverWith("?useAffectedRows=true&useServerPrepStmts=true"));
  }
}
