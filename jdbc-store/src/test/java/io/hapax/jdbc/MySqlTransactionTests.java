package io.hapax.jdbc;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What is the same through either driver. */
abstract class MySqlTransactionTests extends TransactionTests {

  @Test
  void a_claim_or_renewal_of_a_batch_is_two_statements_and_its_settlement_one()
      throws SQLException {
    StatementCounts.expect(fixture, this::request, 2, 2, 1, 2);
  }
}
