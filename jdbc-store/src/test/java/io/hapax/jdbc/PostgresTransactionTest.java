package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.MarkState;
import io.hapax.store.BrokenTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresTransactionTest extends TransactionTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::postgres);
  }

  @Test
  void a_swallowed_sql_error_breaks_the_transaction() {
    assertThatThrownBy(() -> fixture.store().runOnce(List.of(request("a")), (connection, it) -> {
          fixture.writeEffect(connection, effect("a"));
          try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1 / 0");
          } catch (SQLException swallowed) {
            assertThat(swallowed.getSQLState()).isEqualTo("22012");
          }
        }))
        .isInstanceOf(BrokenTransactionException.class);

    assertThat(state("a")).isEqualTo(MarkState.ABSENT);
    assertThat(fixture.effects(effect("a"))).isZero();
  }

  @Test
  void a_constraint_that_fails_at_commit_is_the_handlers_failure() {
    fixture.execute(
        "CREATE TABLE IF NOT EXISTS late" + " (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)");

    assertThatThrownBy(() -> fixture.store().runOnce(List.of(request("a")), (connection, it) -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO late VALUES (1), (1)");
          }
        }))
        .isInstanceOf(BrokenTransactionException.class);

    assertThat(state("a")).isEqualTo(MarkState.ABSENT);
  }

  @Test
  void the_handler_waits_for_locks_as_long_as_its_session_lets_it() throws SQLException {
    fixture.store().runOnce(List.of(request("a")), (connection, it) -> {
      assertThat(setting(connection, "lock_timeout")).isEqualTo("0");
      assertThat(setting(connection, "idle_in_transaction_session_timeout")).isEqualTo("1min");
      assertThat(setting(connection, "transaction_isolation")).isEqualTo("read committed");
    });
  }

  private static String setting(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        var row = statement.executeQuery("SHOW " + name)) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void a_claim_of_a_batch_is_one_statement_and_so_is_its_settlement() throws SQLException {
    StatementCounts.expect(fixture, this::request, 1, 1, 1, 1);
  }
}
