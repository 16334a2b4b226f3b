package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.ClaimAnswer;
import io.hapax.store.BrokenTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@TestDatabase.OnPostgres
class PostgresTransactionEndTest extends TransactionEndTests {

  @Test
  void a_swallowed_error_is_reported_as_the_cause() {
    assertThatThrownBy(() -> run(store(), "a", connection -> {
          fixture.writeEffect(connection, effect("a"));
          try {
            execute(connection, "SELECT 1 / 0");
          } catch (SQLException swallowed) {
            assertThat(swallowed.getSQLState()).isEqualTo("22012");
          }
        }))
        .isInstanceOf(BrokenTransactionException.class)
        .hasMessageContaining("swallowed")
        .hasMessageContaining("rolled back")
        .cause()
        .hasMessageContaining("division by zero");

    assertNothingRemains();
  }

  @Test
  void limits_that_the_session_had_are_the_handlers_and_come_back() throws SQLException {
    try (Connection real = fixture.pool().getConnection()) {
      execute(real, "SET lock_timeout = '7s'; SET statement_timeout = '8min'");
      execute(real, "SET idle_in_transaction_session_timeout = '9min'");
      JdbcDedupStore store = fixture.storeOn(new SingleConnection(real));

      store.runOnce(List.of(request("a")), (connection, answers) -> {
        assertThat(text(connection, "SHOW lock_timeout")).isEqualTo("7s");
        assertThat(text(connection, "SHOW statement_timeout")).isEqualTo("8min");
      });
      store.claim(List.of(request("b")), LEASE);

      assertThat(text(real, "SHOW lock_timeout")).isEqualTo("7s");
      assertThat(text(real, "SHOW statement_timeout")).isEqualTo("8min");
      assertThat(text(real, "SHOW idle_in_transaction_session_timeout")).isEqualTo("9min");
      execute(real, "RESET ALL");
    }
  }

  @Test
  void what_met_contention_is_tried_again_at_read_committed() throws SQLException {
    List<Integer> isolations = new ArrayList<>();
    try (Connection real = fixture.pool().getConnection()) {
      real.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      JdbcDedupStore store =
          fixture.storeOn(InterceptedDriver.with(new SingleConnection(real), (on, deed, call) -> {
            if (InterceptedDriver.insertsMarks(deed) && isolations.size() < 2) {
              isolations.add(real.getTransactionIsolation());
              if (isolations.size() == 1) {
                throw new SQLException("could not serialize access", "40001");
              }
            }
            return call.call();
          }));

      List<ClaimAnswer> answers = store.claim(List.of(request("a")), LEASE);

      assertThat(answers).hasOnlyElementsOfType(ClaimAnswer.Acquired.class);
      assertThat(isolations)
          .containsExactly(
              Connection.TRANSACTION_SERIALIZABLE, Connection.TRANSACTION_READ_COMMITTED);
      assertThat(real.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
    }
  }
}
