package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import io.hapax.store.TransactionalDedupStore.Work;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions that belong to the application, and how they fail. */
abstract class FrameTests extends StoreTests {

  private ThreadBoundFrame frame;
  private JdbcDedupStore store;

  @Override
  JdbcFixture open() {
    return new FramedFixture(database::pool);
  }

  /** A query for the limits that the store sets, as one text. */
  private String limits() {
    return switch (database.product) {
      case H2 -> "SELECT LOCK_TIMEOUT()";
      case POSTGRES ->
        "SELECT current_setting('lock_timeout') || ' '"
            + " || current_setting('idle_in_transaction_session_timeout')";
      case MARIADB ->
        "SELECT CONCAT(@@session.innodb_lock_wait_timeout, ' ', @@session.wait_timeout)";
    };
  }

  @BeforeEach
  void openFrame() {
    frame = new ThreadBoundFrame(fixture.pool());
    store = with(frame);
  }

  private JdbcDedupStore with(TransactionFrame other) {
    return builder(fixture.pool())
        .lockWait(JdbcFixture.LOCK_WAIT)
        .transactionFrame(other)
        .build();
  }

  private List<ClaimAnswer> runOnceWith(TransactionFrame other) throws SQLException {
    return runOnce(with(other), List.of(request("a")));
  }

  @Test
  void writes_through_the_bound_connection_commit_with_the_mark() throws SQLException {
    store.runOnce(
        List.of(request("a")),
        (connection, answers) -> fixture.writeEffect(frame.connection(), effect("a")));

    assertThat(state("a")).isEqualTo(MarkState.DONE);
    assertThat(effects("a")).isEqualTo(1);
    assertThat(frame.ends).containsExactly("committed");
  }

  @Test
  void a_failed_handler_rolls_back_mark_effect_and_outer_resource() {
    IOException failure = new IOException("no answer");

    assertThatThrownBy(() -> run(store, "a", connection -> {
          fixture.writeEffect(frame.connection(), effect("a"));
          throw failure;
        }))
        .isSameAs(failure);

    assertNothingRemains();
    assertThat(frame.ends).containsExactly("rolled back");
  }

  @Test
  void buffered_writes_are_flushed_into_the_transaction() throws SQLException {
    Claim claim = claimed("a");

    SettleAnswer answer = store.completeWith(
        claim, connection -> frame.atFlush(flushed -> fixture.writeEffect(flushed, effect("a"))));

    assertThat(answer).isEqualTo(new SettleAnswer.Settled(false));
    assertThat(effects("a")).isEqualTo(1);
  }

  @Test
  void a_failed_flush_is_the_failure_of_the_handler() {
    assertThatThrownBy(() -> run(store, "a", connection -> {
          fixture.writeEffect(connection, effect("a"));
          frame.atFlush(fixture::meetError);
        }))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("flush failed");

    assertNothingRemains();
    assertThat(frame.ends).containsExactly("rolled back");
  }

  @Test
  void a_deadlock_past_the_guard_is_contention_if_it_ended_the_transaction() {
    assertThatThrownBy(() -> run(store, "a", connection -> {
          fixture.writeEffect(frame.connection(), effect("a"));
          frame.connection().rollback();
          throw new SQLException("deadlock", "40001");
        }))
        .isInstanceOf(StoreContentionException.class)
        .hasCauseInstanceOf(SQLException.class);

    assertNothingRemains();
  }

  @Test
  void a_deadlock_elsewhere_is_the_failure_of_the_handler() {
    SQLException elsewhere = new SQLException("deadlock", "40001");

    assertThatThrownBy(() -> run(store, "a", connection -> {
          fixture.writeEffect(frame.connection(), effect("a"));
          throw elsewhere;
        }))
        .isSameAs(elsewhere);

    assertNothingRemains();
  }

  @Test
  void a_duplicate_calls_neither_handler_nor_flush() throws SQLException {
    runOnce(store, List.of(request("a")));
    AtomicBoolean flushed = new AtomicBoolean();
    ThreadBoundFrame other = new ThreadBoundFrame(fixture.pool()) {
      @Override
      void flush() {
        flushed.set(true);
      }
    };

    assertThat(runOnceWith(other)).hasOnlyElementsOfType(ClaimAnswer.Done.class);

    assertThat(flushed).isFalse();
    assertThat(effects("a")).isEqualTo(1);
  }

  @Test
  void a_rollback_behind_the_guard_is_reported() {
    assertThatThrownBy(() -> run(store, "a", connection -> {
          fixture.writeEffect(connection, effect("a"));
          frame.connection().rollback();
        }))
        .isInstanceOf(BrokenTransactionException.class)
        .hasMessageContaining("rolled back");
    assertNothingRemains();
  }

  @Test
  void a_handler_that_commits_behind_the_guard_is_in_doubt_whatever_it_does_next() {
    Work losingTheConnection = connection -> frame.connection().abort(Runnable::run);
    Map<String, Work> next = Map.of(
        "returns", connection -> {},
        "throws",
            connection -> {
              throw new IOException("no answer");
            },
        "loses its connection", losingTheConnection,
        "writes to a lost connection",
            connection -> {
              losingTheConnection.in(connection);
              fixture.writeEffect(connection, effect("a"));
            });
    next.forEach((id, work) -> assertInDoubt(
        id,
        () -> run(store, id, connection -> {
          fixture.writeEffect(connection, effect(id));
          frame.connection().commit();
          work.in(connection);
        })));
  }

  private void assertInDoubt(String id, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as(id)
        .isInstanceOf(BrokenTransactionException.class)
        .hasMessageContaining("these marks were committed");
    assertThat(state(id)).isEqualTo(MarkState.PROCESSING);
    assertThat(store().find(List.of(key(id))).get(0).orElseThrow().claim().attempt())
        .satisfies(attempt -> assertThat(attempt.inDoubt()).isTrue());
  }

  private TransactionFrame withCallback(ThreadBoundFrame.Write callback) {
    return new ThreadBoundFrame(fixture.pool()) {
      @Override
      void callbacks(Connection connection) {
        try {
          callback.on(connection);
        } catch (SQLException e) {
          throw new IllegalStateException("callback failed", e);
        }
      }
    };
  }

  @Test
  void a_rollback_between_body_and_commit_is_found() throws SQLException {
    assertThatThrownBy(() -> runOnceWith(withCallback(Connection::rollback)))
        .isInstanceOf(BrokenTransactionException.class)
        .hasMessageContaining("rolled back");

    assertNothingRemains();
    assertThat(runOnce(store, List.of(request("a")))).hasOnlyElementsOfType(Acquired.class);
    assertThat(effects("a")).isEqualTo(1);
  }

  @Test
  void a_commit_between_body_and_commit_is_reported_with_its_marks() {
    assertInDoubt("a", () -> runOnceWith(withCallback(Connection::commit)));
  }

  @Test
  void a_write_between_body_and_commit_commits_with_the_mark() throws SQLException {
    runOnceWith(withCallback(it -> fixture.writeEffect(it, effect("b"))));

    assertThat(state("a")).isEqualTo(MarkState.DONE);
    assertThat(effects("b")).isEqualTo(1);
  }

  @Test
  void a_transaction_leaves_the_limits_of_its_session_as_they_were() throws SQLException {
    List<String> seen = new ArrayList<>();
    ThreadBoundFrame asking = new ThreadBoundFrame(fixture.pool()) {
      @Override
      void begin(Connection connection) throws SQLException {
        super.begin(connection);
        seen.add(text(connection, limits()));
      }

      @Override
      void commit(Connection connection) throws SQLException {
        super.commit(connection);
        seen.add(text(connection, limits()));
      }

      @Override
      void rollback(Connection connection) throws SQLException {
        super.rollback(connection);
        seen.add(text(connection, limits()));
      }
    };
    runOnceWith(asking);
    assertThatThrownBy(() -> run(with(asking), "b", connection -> {
          throw new IllegalStateException("no answer");
        }))
        .isInstanceOf(IllegalStateException.class);

    assertThat(seen).hasSize(4).containsOnly(seen.get(0));
  }

  @Test
  void a_transaction_that_cannot_begin_is_the_stores_failure() {
    assertThatThrownBy(() -> runOnceWith(new ThreadBoundFrame(fixture.pool()) {
          @Override
          void begin(Connection connection) throws SQLException {
            connection.close();
            throw new SQLException("no more connections", "08001");
          }
        }))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("no more connections");

    assertNothingRemains();
  }

  @Test
  void a_commit_without_an_answer_is_unknown_and_decided_by_its_nonces() throws SQLException {
    List<ClaimRequest> requests = List.of(request("a"));
    JdbcDedupStore losing = with(new ThreadBoundFrame(fixture.pool()) {
      @Override
      void commit(Connection connection) throws SQLException {
        super.commit(connection);
        throw new SQLException("the answer was lost", "08006");
      }
    });

    assertThatThrownBy(() -> runOnce(losing, requests)).isInstanceOf(CommitUnknownException.class);

    assertThat(runOnce(store, requests))
        .singleElement()
        .isInstanceOfSatisfying(
            ClaimAnswer.Done.class, done -> assertThat(done.own()).isTrue());
    assertThat(effects("a")).isEqualTo(1);
  }

  private TransactionFrame refusing(RuntimeException failure) {
    return new ThreadBoundFrame(fixture.pool()) {
      @Override
      void commit(Connection connection) throws SQLException {
        connection.rollback();
        throw failure;
      }
    };
  }

  @Test
  void a_refused_commit_is_judged_by_its_cause_or_by_the_frame() {
    assertThatThrownBy(() -> runOnceWith(refusing(wrapped("a key is missing", "23503"))))
        .isInstanceOf(BrokenTransactionException.class)
        .hasStackTraceContaining("a key is missing");
    assertThatThrownBy(() -> runOnceWith(refusing(wrapped("deadlock", "40001"))))
        .isInstanceOf(StoreContentionException.class);
    BrokenTransactionException verdict = new BrokenTransactionException("marked for rollback only");
    assertThatThrownBy(() -> runOnceWith(refusing(verdict))).isSameAs(verdict);
    assertNothingRemains();
  }

  private static RuntimeException wrapped(String reason, String state) {
    return new IllegalStateException("wrapped", new SQLException(reason, state));
  }

  @Test
  void a_rollback_that_fails_keeps_the_failure_of_the_handler() {
    IOException failure = new IOException("no answer");
    ThreadBoundFrame stuck = new ThreadBoundFrame(fixture.pool()) {
      @Override
      void rollback(Connection connection) throws SQLException {
        throw new SQLException("not now");
      }
    };

    assertThatThrownBy(() -> run(with(stuck), "a", connection -> {
          fixture.writeEffect(connection, effect("a"));
          throw failure;
        }))
        .isSameAs(failure)
        .hasStackTraceContaining("rollback failed");

    assertNothingRemains();
    assertThat(stuck.ends).containsExactly("in doubt");
  }

  @Test
  void a_frame_with_another_isolation_or_autocommit_is_refused_or_corrected() throws SQLException {
    assertThatThrownBy(() -> runOnceWith(new ThreadBoundFrame(fixture.pool()) {
          @Override
          void begin(Connection connection) throws SQLException {
            connection.setAutoCommit(true);
          }

          @Override
          void rollback(Connection connection) {
            // There is no transaction.
          }
        }))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("autocommit");
    ThreadBoundFrame serializable = new ThreadBoundFrame(fixture.pool()) {
      @Override
      void begin(Connection connection) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setAutoCommit(false);
        text(connection, limits());
      }
    };
    assertThatThrownBy(() -> runOnceWith(serializable)).isExactlyInstanceOf(StoreException.class);

    assertNothingRemains();
  }

  @Test
  void a_frame_that_does_not_call_its_body_is_refused() {
    assertThatThrownBy(() -> runOnceWith(new TransactionFrame() {
          @Override
          public <X extends Exception> void run(Body<X> body) {
            // Forgets it.
          }
        }))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("did not call its body");
  }

  @Test
  void a_frame_that_runs_its_body_again_is_refused() {
    assertThatThrownBy(() -> with(retrying())
            .<Exception>runOnce(List.of(request("a")), (connection, it) -> {
              fixture.writeEffect(connection, effect("a"));
              throw new IOException("no answer");
            }))
        .isInstanceOf(IOException.class)
        .hasStackTraceContaining("a second time");

    assertNothingRemains();
  }

  private TransactionFrame retrying() {
    return new TransactionFrame() {
      @Override
      public <X extends Exception> void run(Body<X> body) throws X {
        try {
          frame.run(body);
        } catch (Exception e) {
          frame.run(body);
        }
      }
    };
  }

  @Test
  void a_frame_that_swallows_the_failure_of_its_body_is_refused() {
    TransactionFrame swallowing = new TransactionFrame() {
      @Override
      public <X extends Exception> void run(Body<X> body) {
        try {
          frame.run(body);
        } catch (Exception e) {
          assertThat(e).hasMessage("no answer");
        }
      }
    };

    assertThatThrownBy(() -> run(with(swallowing), "a", connection -> {
          throw new IOException("no answer");
        }))
        .isInstanceOf(BrokenTransactionException.class)
        .hasMessageContaining("frame returned although its body had failed")
        .hasCauseInstanceOf(IOException.class);
  }
}
