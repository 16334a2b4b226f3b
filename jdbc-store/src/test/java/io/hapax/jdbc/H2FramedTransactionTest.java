package io.hapax.jdbc;

/** The rules of transactions hold in the application's as well. */
class H2FramedTransactionTest extends TransactionTests {

  @Override
  JdbcFixture open() {
    return new FramedFixture(Databases::h2InMemory);
  }
}
