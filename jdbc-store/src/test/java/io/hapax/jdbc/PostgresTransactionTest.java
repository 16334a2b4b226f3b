package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MarkState;
import io.hapax.store.BrokenTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class PostgresTransactionTest extends TransactionTests {

  @Override
  JdbcFixture open() {
    return new JdbcFixture(Databases::postgres);
  }

  @Test
  void a_swallowed_sql_error_breaks_the_transaction() {
    assertThatThrownBy(() -> run(store(), "a", connection -> {
          fixture.writeEffect(connection, effect("a"));
          try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1 / 0");
          } catch (SQLException swallowed) {
            assertThat(swallowed.getSQLState()).isEqualTo("22012");
          }
        }))
        .isInstanceOf(BrokenTransactionException.class);

    assertNothingRemains();
  }

  @Test
  void a_constraint_that_fails_at_commit_is_the_handlers_failure() {
    fixture.execute(
        "CREATE TABLE IF NOT EXISTS late" + " (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)");

    assertThatThrownBy(() -> run(store(), "a", connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO late VALUES (1), (1)");
          }
        }))
        .isInstanceOf(BrokenTransactionException.class);

    assertThat(state("a")).isEqualTo(MarkState.ABSENT);
  }

  @Test
  void the_handler_waits_for_locks_as_long_as_its_session_lets_it() throws SQLException {
    store().runOnce(List.of(request("a")), (connection, it) -> {
      assertThat(text(connection, "SHOW lock_timeout")).isEqualTo("0");
      assertThat(text(connection, "SHOW idle_in_transaction_session_timeout")).isEqualTo("1min");
      assertThat(text(connection, "SHOW transaction_isolation")).isEqualTo("read committed");
    });
  }

  @Test
  void a_handler_cannot_make_the_commit_of_its_mark_one_that_a_crash_forgets() throws SQLException {
    fixture.execute("""
        CREATE TABLE IF NOT EXISTS commits (how text);
        CREATE TABLE IF NOT EXISTS told (id int);
        TRUNCATE commits;
        CREATE OR REPLACE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO commits VALUES (current_setting('synchronous_commit'));
          RETURN NULL;
        END $$;
        DROP TRIGGER IF EXISTS at_commit ON told;
        CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON told DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION tell();
        """);
    try (Connection real = fixture.pool().getConnection();
        JdbcDedupStore durable = JdbcDedupStore.builder(new SingleConnection(real))
            .table(fixture.table())
            .noBackgroundPurge()
            .build()) {
      for (String off :
          List.of("SET LOCAL synchronous_commit = off", "SET synchronous_commit = off")) {
        durable.runOnce(List.of(request(off)), (connection, it) -> {
          execute(connection, off);
          execute(connection, "INSERT INTO told VALUES (1)");
        });
      }
      Claim claim =
          ((ClaimAnswer.Acquired) durable.claim(List.of(request("a")), LEASE).get(0)).claim();
      durable.completeWith(claim, connection -> execute(connection, "INSERT INTO told VALUES (1)"));

      assertThat(text(real, "SELECT string_agg(how, ' ') FROM commits")).isEqualTo("on on on");
      execute(real, "RESET ALL");
    }
  }

  @Test
  void a_claim_of_a_batch_is_one_statement_and_so_is_its_settlement() throws SQLException {
    StatementCounts.expect(fixture, this::request, 1, 1, 1, 1);
  }

  @Test
  void a_filter_that_refuses_the_statements_of_a_transaction_is_refused_at_build() {
    DataSource filtered = InterceptedDriver.with(fixture.pool(), (on, deed, call) -> {
      if (deed.contains("SAVEPOINT hapax_marks")) {
        throw new SQLException("sql injection violation: SAVEPOINT not allow");
      }
      return call.call();
    });
    JdbcDedupStoreBuilder builder = JdbcDedupStore.builder(filtered).table(fixture.table());

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("SAVEPOINT not allow")
        .hasMessageContaining("noneBaseStatementAllow");
    try (JdbcDedupStore store = builder.leasedOnly().build()) {
      assertThat(store.leasedOnly()).isTrue();
    }
  }
}
