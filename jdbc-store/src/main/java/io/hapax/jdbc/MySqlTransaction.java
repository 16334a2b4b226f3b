package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A transaction of MySQL or MariaDB. Limits and isolation belong to the session and are set back;
 * the handler gets the session's own lock wait back. A failed statement is undone alone, so a
 * swallowed error does not break the transaction. A deadlock, a commit or a rollback ends it, and
 * its savepoint too.
 */
final class MySqlTransaction implements Dialect.Transaction {

  private static final int NO_SUCH_SAVEPOINT = 1305;

  private final Connection connection;
  private final Session before;
  private final Dialect.Restore restore;

  private MySqlTransaction(Connection connection, Session before, Dialect.Restore restore) {
    this.connection = connection;
    this.before = before;
    this.restore = restore;
  }

  /**
   * The settings of a session.
   *
   * @param variable the name of the variable that holds the isolation
   * @param isolation its value
   * @param lockWait whole seconds, the only unit that InnoDB takes
   * @param idle whole seconds
   */
  private record Session(String variable, String isolation, long lockWait, long idle) {

    static Session of(Connection connection, String variable) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT @@session." + variable
              + ", @@session.innodb_lock_wait_timeout, @@session.wait_timeout")) {
        row.next();
        return new Session(variable, row.getString(1), row.getLong(2), row.getLong(3));
      }
    }

    Session limited(JdbcSettings settings, boolean idleToo) {
      return new Session(
          variable,
          "READ-COMMITTED",
          seconds(settings.lockWait()),
          idleToo ? seconds(settings.idleLimit()) : idle);
    }

    /**
     * Sets all of them, and restarts a clock that the session has stopped: the store uses that
     * clock.
     */
    void set(Connection connection) throws SQLException {
      execute(
          connection,
          "SET SESSION " + variable + " = '" + isolation + "', SESSION innodb_lock_wait_timeout = "
              + lockWait + ", SESSION wait_timeout = " + idle + ", SESSION timestamp = DEFAULT");
    }

    private static long seconds(Duration duration) {
      return Math.max(1, duration.plusNanos(999_999_999).toSeconds());
    }
  }

  static MySqlTransaction begin(Connection connection, JdbcSettings settings, String variable)
      throws SQLException {
    Session before = Session.of(connection, variable);
    return new MySqlTransaction(
        connection, before, enter(connection, before, before.limited(settings, true), false));
  }

  static MySqlTransaction join(Connection connection, JdbcSettings settings, String variable)
      throws SQLException {
    Session before = Session.of(connection, variable);
    if (!before.isolation().equals("READ-COMMITTED")) {
      throw Transactions.notReadCommitted(before.isolation());
    }
    before.limited(settings, true).set(connection);
    return new MySqlTransaction(connection, before, () -> before.set(connection));
  }

  static Dialect.Restore enter(
      Connection connection, JdbcSettings settings, String variable, boolean autocommit)
      throws SQLException {
    Session before = Session.of(connection, variable);
    return enter(connection, before, before.limited(settings, false), autocommit);
  }

  private static Dialect.Restore enter(
      Connection connection, Session before, Session wanted, boolean autocommit)
      throws SQLException {
    Dialect.Restore autocommitBefore = Transactions.autocommit(connection, autocommit);
    Dialect.Restore restore = () -> {
      before.set(connection);
      autocommitBefore.restore();
    };
    try {
      wanted.set(connection);
      return restore;
    } catch (SQLException e) {
      Transactions.undo(connection, restore, e);
      throw e;
    }
  }

  @Override
  public void marksWritten() throws SQLException {
    execute(connection, "SET SESSION innodb_lock_wait_timeout = " + before.lockWait());
    askAgain();
  }

  @Override
  public Dialect.TransactionStatus status() throws SQLException {
    try {
      execute(connection, "RELEASE SAVEPOINT hapax_marks");
      return Dialect.TransactionStatus.INTACT;
    } catch (SQLException e) {
      if (e.getErrorCode() == NO_SUCH_SAVEPOINT) {
        return Dialect.TransactionStatus.ENDED;
      }
      throw e;
    }
  }

  @Override
  public void askAgain() throws SQLException {
    execute(connection, "SAVEPOINT hapax_marks");
  }

  @Override
  public void restore() throws SQLException {
    restore.restore();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
