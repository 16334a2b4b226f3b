package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of PostgreSQL. Its limits are local to it, and the handler gets the session's own
 * lock time-out back. After an error PostgreSQL refuses everything until a rollback, so that the
 * release of a savepoint finds swallowed errors; the number finds other transactions. A commit that
 * the session, or the handler, wanted to be asynchronous is not: it would be acknowledged and then
 * forgotten by a crash.
 */
final class PostgresTransaction implements Dialect.Transaction {

  private static final String FAILED = "25P02";
  private static final String NO_SUCH_SAVEPOINT = "3B001";
  private static final String NO_TRANSACTION = "25P01";

  /** Another column: the last moment before the commit to say what the commit is to wait for. */
  private static final String DURABLE = ", CASE WHEN current_setting('synchronous_commit') = 'off'"
      + " THEN set_config('synchronous_commit', 'on', true) END";

  private final Connection connection;
  private final Dialect.Restore autocommit;
  private final String sessionsLockTimeout;
  private final String durable;
  private @Nullable String number;

  private PostgresTransaction(
      Connection connection,
      Dialect.Restore autocommit,
      String sessionsLockTimeout,
      JdbcSettings settings) {
    this.connection = connection;
    this.autocommit = autocommit;
    this.sessionsLockTimeout = sessionsLockTimeout;
    this.durable = settings.volatileAllowed() ? "" : DURABLE;
  }

  static PostgresTransaction begin(Connection connection, JdbcSettings settings)
      throws SQLException {
    Dialect.Restore autocommit = Transactions.autocommit(connection, false);
    try {
      return limited(connection, settings, autocommit);
    } catch (SQLException e) {
      Transactions.undo(connection, autocommit, e);
      throw e;
    }
  }

  /** Leaves nothing to restore: the limits end with the transaction. */
  static PostgresTransaction join(Connection connection, JdbcSettings settings)
      throws SQLException {
    return limited(connection, settings, () -> {});
  }

  /** PostgreSQL refuses another isolation after the first query of a transaction. */
  private static PostgresTransaction limited(
      Connection connection, JdbcSettings settings, Dialect.Restore autocommit)
      throws SQLException {
    String sessions = last(
        connection,
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SHOW lock_timeout;"
            + " SET LOCAL lock_timeout = " + settings.lockWait().toMillis()
            + "; SET LOCAL idle_in_transaction_session_timeout = "
            + settings.idleLimit().toMillis());
    return new PostgresTransaction(
        connection, autocommit, sessions == null ? "0" : sessions, settings);
  }

  @Override
  public void marksWritten() throws SQLException {
    number = last(
        connection,
        "SET LOCAL lock_timeout = '" + sessionsLockTimeout
            + "'; SAVEPOINT hapax_marks; SELECT txid_current_if_assigned()");
  }

  @Override
  public Dialect.TransactionStatus status() throws SQLException {
    try {
      @Nullable
      String now = last(
          connection, "RELEASE SAVEPOINT hapax_marks; SELECT txid_current_if_assigned()" + durable);
      return now != null && now.equals(number)
          ? Dialect.TransactionStatus.INTACT
          : Dialect.TransactionStatus.ENDED;
    } catch (SQLException e) {
      return switch (e.getSQLState() == null ? "" : e.getSQLState()) {
        case FAILED -> Dialect.TransactionStatus.FAILED;
        case NO_SUCH_SAVEPOINT, NO_TRANSACTION -> Dialect.TransactionStatus.ENDED;
        default -> throw e;
      };
    }
  }

  @Override
  public void restore() throws SQLException {
    autocommit.restore();
  }

  /** The one value that the statements return; they are one round trip. */
  private static @Nullable String last(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean rows = statement.execute(sql);
      while (!rows && statement.getUpdateCount() >= 0) {
        rows = statement.getMoreResults();
      }
      if (!rows) {
        return null;
      }
      try (ResultSet row = statement.getResultSet()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }
}
