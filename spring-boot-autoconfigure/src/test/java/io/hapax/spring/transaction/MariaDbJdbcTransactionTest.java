package io.hapax.spring.transaction;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.dao.ConcurrencyFailureException;

@Tag("nightly")
class MariaDbJdbcTransactionTest extends JdbcTransactionTests {

  @Override
  TestDatabase database() {
    return TestDatabase.MARIADB;
  }

  @Test
  void a_listener_whose_schema_change_commits_leaves_its_mark_in_doubt() throws Exception {
    assertInDoubt(id -> {
      ledger.write(id);
      jdbc.execute("create table if not exists draft (id int)");
      throw new IllegalStateException("no stock");
    });
  }

  @Test
  void a_deadlock_swallowed_before_the_commit_leaves_nothing() throws Exception {
    String held = "h" + message.substring(1);
    String wanted = "w" + message.substring(1);
    jdbc.update("insert into seat (name) values (?), (?)", held, wanted);

    try (Connection other = database().access().connect()) {
      runAndExpectNothing(held, wanted, other);
    }

    assertOneCommit(ledger::write);
  }

  private void runAndExpectNothing(String held, String wanted, Connection other) {
    assertBreaks(id -> {
      ledger.write(id);
      jdbc.queryForList(locking(held));
      beforeCommit(() -> {
        CompletableFuture<Void> release = lockCrosswise(other, wanted, held);
        assertThatThrownBy(() -> jdbc.queryForList(locking(wanted)))
            .isInstanceOf(ConcurrencyFailureException.class);
        release.join();
      });
    });
  }

  private static String locking(String seat) {
    return "select name from seat where name = '" + seat + "' for update";
  }

  /**
   * Locks one seat, and then waits for the other. The session has written more, so that InnoDB
   * rolls back the transaction of the listener.
   */
  private static CompletableFuture<Void> lockCrosswise(
      Connection other, String first, String second) {
    try {
      other.setAutoCommit(false);
      for (int i = 0; i < 100; i++) {
        execute(other, "insert into ledger (id, message) values (uuid(), 'heavy')");
      }
      execute(other, locking(first));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return CompletableFuture.runAsync(() -> {
      try {
        execute(other, locking(second));
        other.rollback();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
