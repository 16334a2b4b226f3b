package io.hapax.jdbc;

class MariaDbTransactionEndTest extends TransactionEndTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mariaDb);
  }

  @Override
  String countBlocked() {
    return MySqlTransactionTests.COUNT_BLOCKED;
  }

  /** InnoDB breaks off whoever has written less. */
  @Override
  String patient() {
    return "INSERT INTO effects (id) VALUES ('x')" + ", ('x')".repeat(100);
  }
}
