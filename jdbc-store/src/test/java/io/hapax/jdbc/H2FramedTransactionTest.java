package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

/** The rules of transactions hold in the application's as well. */
@Tag("nightly")
class H2FramedTransactionTest extends TransactionTests {

  @Override
  JdbcFixture open() {
    return new FramedFixture(Databases::h2InMemory);
  }
}
