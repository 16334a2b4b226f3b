package io.hapax.jdbc;

/** MariaDB through the driver of MySQL. */
class MySqlDriverTransactionTest extends MySqlTransactionTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::mysqlDriver);
  }
}
