package io.hapax.jdbc;

/** The rules of transactions hold in the application's as well. */
class PostgresFramedTransactionTest extends TransactionTests {

  @Override
  JdbcFixture open() {
    return new FramedFixture(Databases::postgres);
  }
}
