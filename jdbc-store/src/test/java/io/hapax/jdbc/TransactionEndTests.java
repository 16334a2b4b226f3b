package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** How a transaction ends when driver, pool or database fail, and what the caller gets. */
abstract class TransactionEndTests extends StoreTests {

  private static final class OrderFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    OrderFailedException(Throwable cause) {
      super("order failed", cause);
    }
  }

  /**
   * Returns a statement that lets this side of a deadlock wait, so that the other side detects it.
   * InnoDB rolls back the transaction that has written less.
   */
  private String patient() {
    return switch (database.product) {
      case H2 -> "SET LOCK_TIMEOUT 20000";
      case POSTGRES -> "SET LOCAL deadlock_timeout = '1h'";
      case MARIADB -> "INSERT INTO effects (id) VALUES ('x')" + ", ('x')".repeat(100);
    };
  }

  @Test
  void a_rollback_that_fails_does_not_end_in_a_commit() {
    AtomicBoolean refusing = new AtomicBoolean();
    JdbcDedupStore store =
        fixture.storeOn(InterceptedDriver.with(fixture.pool(), (on, deed, call) -> {
          if (deed.equals("rollback") && refusing.get()) {
            throw new SQLException("not now");
          }
          return call.call();
        }));
    refusing.set(true);

    assertThatThrownBy(() -> run(store, "a", connection -> {
          fixture.writeEffect(connection, effect("a"));
          throw new OrderFailedException(new IllegalStateException());
        }))
        .isInstanceOf(OrderFailedException.class);

    assertNothingRemains();
  }

  @Test
  void a_commit_that_ends_in_no_sql_error_is_of_unknown_outcome() {
    JdbcDedupStore store =
        fixture.storeOn(InterceptedDriver.with(fixture.pool(), (on, deed, call) -> {
          Object result = call.call();
          if (deed.equals("commit")) {
            throw new IllegalStateException("the driver stumbled");
          }
          return result;
        }));

    assertThatThrownBy(() -> runOnce(store, List.of(request("a"))))
        .isInstanceOf(CommitUnknownException.class);
  }

  @Test
  void a_connection_that_cannot_be_given_back_changes_no_answer() throws SQLException {
    AtomicBoolean fails = new AtomicBoolean();
    JdbcDedupStore store =
        fixture.storeOn(InterceptedDriver.with(fixture.pool(), (on, deed, call) -> {
          Object result = call.call();
          if (deed.equals("close") && on instanceof Connection && fails.get()) {
            throw new SQLException("the pool stumbled");
          }
          return result;
        }));

    fails.set(true);

    assertThat(runOnce(store, List.of(request("a")))).hasOnlyElementsOfType(Acquired.class);
    assertThat(store.claim(List.of(request("b")), LEASE)).hasOnlyElementsOfType(Acquired.class);
  }

  @Test
  void contention_that_a_handler_met_elsewhere_is_its_own_failure() {
    OrderFailedException failure =
        new OrderFailedException(new SQLException("of another database", "40001"));

    assertThatThrownBy(() -> run(store(), "a", connection -> {
          throw failure;
        }))
        .isSameAs(failure);
  }

  @Test
  void a_deadlock_that_the_handler_throws_is_contention_with_its_exception() {
    assertThatThrownBy(() -> deadlocked((connection, deadlock) -> {
          throw new OrderFailedException(deadlock);
        }))
        .isInstanceOf(StoreContentionException.class)
        .hasCauseInstanceOf(OrderFailedException.class)
        .hasStackTraceContaining("eadlock");

    assertNothingRemains();
  }

  @Test
  void a_deadlock_that_the_handler_swallows_commits_nothing() {
    assertThatThrownBy(() -> deadlocked((connection, deadlock) -> {}))
        .isInstanceOf(BrokenTransactionException.class)
        .hasStackTraceContaining("eadlock");

    assertNothingRemains();
  }

  @Test
  void a_handler_that_continues_after_a_swallowed_deadlock_commits_nothing() {
    assertThatThrownBy(() -> deadlocked((connection, deadlock) -> {
          try {
            fixture.writeEffect(connection, effect("a"));
          } catch (SQLException aborted) {
            assertThat(aborted.getSQLState()).isEqualTo("25P02");
          }
        }))
        .isInstanceOf(BrokenTransactionException.class);

    assertNothingRemains();
  }

  private interface AfterDeadlock {
    void react(Connection connection, SQLException deadlock) throws Exception;
  }

  /**
   * Runs a handler that loses a deadlock: H2 breaks off the younger transaction, PostgreSQL the one
   * that has less patience.
   */
  private void deadlocked(AfterDeadlock reaction) throws Exception {
    fixture.execute("DROP TABLE IF EXISTS accounts");
    fixture.execute("CREATE TABLE accounts (id INT PRIMARY KEY, amount INT)");
    fixture.execute("INSERT INTO accounts VALUES (1, 0), (2, 0)");
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    Future<Void> other = threads.submit(() -> {
      try (Connection connection = fixture.pool().getConnection()) {
        connection.setAutoCommit(false);
        execute(connection, patient());
        execute(connection, "UPDATE accounts SET amount = 1 WHERE id = 2");
        second.countDown();
        assertThat(first.await(30, TimeUnit.SECONDS)).isTrue();
        execute(connection, "UPDATE accounts SET amount = 1 WHERE id = 1");
        connection.rollback();
      }
      return null;
    });
    assertThat(second.await(30, TimeUnit.SECONDS)).isTrue();
    store().<Exception>runOnce(List.of(request("a")), (connection, answers) -> {
      fixture.writeEffect(connection, effect("a"));
      execute(connection, "UPDATE accounts SET amount = 2 WHERE id = 1");
      first.countDown();
      await().until(() -> number(database.product.countBlocked) > 0);
      try {
        execute(connection, "UPDATE accounts SET amount = 2 WHERE id = 2");
      } catch (SQLException deadlock) {
        other.get(30, TimeUnit.SECONDS);
        reaction.react(connection, deadlock);
      }
    });
  }

  @Test
  void a_handler_whose_connection_is_lost_is_not_to_blame() {
    JdbcDedupStore store =
        fixture.storeOn(InterceptedDriver.with(fixture.pool(), (on, deed, call) -> {
          if (deed.startsWith("executeLargeUpdate")) {
            throw new SQLException("the server is gone", "08006");
          }
          return call.call();
        }));

    assertThatThrownBy(() -> run(store, "a", connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.executeLargeUpdate("DELETE FROM effects WHERE id = ''");
          } catch (SQLException e) {
            throw new OrderFailedException(e);
          }
        }))
        .isExactlyInstanceOf(StoreException.class)
        .hasCauseInstanceOf(OrderFailedException.class);
  }
}
