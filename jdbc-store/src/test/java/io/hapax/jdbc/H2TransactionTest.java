package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.store.BrokenTransactionException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2TransactionTest extends TransactionTests {

  @TempDir
  static Path directory;

  @Override
  JdbcFixture open() {
    String url = "jdbc:h2:file:" + directory.resolve("tx" + UUID.randomUUID())
        + ";WRITE_DELAY=0;REUSE_SPACE=FALSE";
    return new JdbcFixture(() -> Databases.h2(url));
  }

  @Test
  void a_statement_that_changes_the_schema_commits_and_is_noticed() {
    assertThatThrownBy(() -> run(store(), "a", connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE surprise (id INT)");
          }
        }))
        .isInstanceOf(BrokenTransactionException.class);
  }

  @Test
  void a_claim_or_renewal_of_a_batch_is_two_statements_and_its_settlement_one()
      throws SQLException {
    StatementCounts.expect(fixture, this::request, 2, 2, 1, 2);
  }
}
