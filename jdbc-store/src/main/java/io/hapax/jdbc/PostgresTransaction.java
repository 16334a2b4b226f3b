package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of PostgreSQL. Its limits are local to it, and the handler gets the session's own
 * lock timeout back. After an error PostgreSQL refuses all statements until a rollback, so the
 * release of a savepoint finds swallowed errors. The transaction number finds a different
 * transaction. A commit that the session or the handler made asynchronous becomes synchronous:
 * otherwise a crash could lose an acknowledged message.
 */
final class PostgresTransaction implements Dialect.Transaction {

  private static final String FAILED = "25P02";
  private static final String NO_SUCH_SAVEPOINT = "3B001";
  private static final String NO_TRANSACTION = "25P01";

  /** Another column of the last query before the commit; it makes the commit synchronous. */
  private static final String DURABLE = ", CASE WHEN current_setting('synchronous_commit') = 'off'"
      + " THEN set_config('synchronous_commit', 'on', true) END";

  private final Connection connection;
  private final Dialect.Restore autocommit;
  private final String sessionsLockTimeout;
  private final String durable;
  private final Dialect.IdleLimit idleLimit;
  private @Nullable String number;
  private String release = "RELEASE SAVEPOINT hapax_marks; ";

  private PostgresTransaction(
      Connection connection,
      Dialect.Restore autocommit,
      String sessionsLockTimeout,
      JdbcSettings settings) {
    this.connection = connection;
    this.autocommit = autocommit;
    this.sessionsLockTimeout = sessionsLockTimeout;
    this.durable = settings.volatileAllowed() ? "" : DURABLE;
    this.idleLimit = new Dialect.IdleLimit("idleLimit", settings.idleLimit());
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

  /** Has nothing to restore, because the limits end with the transaction. */
  static PostgresTransaction join(Connection connection, JdbcSettings settings)
      throws SQLException {
    return limited(connection, settings, () -> {});
  }

  /**
   * Sets isolation and limits. PostgreSQL refuses another isolation after the first query of a
   * transaction.
   */
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
      String now = last(connection, release + "SELECT txid_current_if_assigned()" + durable);
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
  public void askAgain() {
    // The last status released the savepoint. The query alone finds an error, too.
    release = "";
  }

  @Override
  public Optional<Dialect.IdleLimit> idleLimit() {
    return Optional.of(idleLimit);
  }

  @Override
  public void restore() throws SQLException {
    autocommit.restore();
  }

  /** Executes several statements in one round trip and returns their only value. */
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
