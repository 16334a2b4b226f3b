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
import org.junit.jupiter.api.Test;

@TestDatabase.OnPostgres
class PostgresTransactionTest extends TransactionTests {

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
}
