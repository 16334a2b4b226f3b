package io.hapax.jdbc;

/** MariaDB through its own driver. */
class MariaDbTransactionTest extends MySqlTransactionTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mariaDb);
  }
}
