package io.hapax.jdbc;

import io.hapax.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores the session of a connection, or aborts the connection so that no pool lends it again.
 */
final class Transactions {

  private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);

  private Transactions() {}

  /** Sets autocommit and returns what restores it. */
  static Dialect.Restore autocommit(Connection connection, boolean wanted) throws SQLException {
    boolean before = connection.getAutoCommit();
    if (before != wanted) {
      connection.setAutoCommit(wanted);
    }
    return () -> {
      if (connection.getAutoCommit() != before) {
        connection.setAutoCommit(before);
      }
    };
  }

  /** Sets READ COMMITTED and returns what restores the isolation. */
  static Dialect.Restore readCommitted(Connection connection) throws SQLException {
    int before = connection.getTransactionIsolation();
    if (before == Connection.TRANSACTION_READ_COMMITTED) {
      return () -> {};
    }
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    return () -> connection.setTransactionIsolation(before);
  }

  /** Refuses an application's transaction with another isolation. */
  static void requireReadCommitted(Connection connection) throws SQLException {
    int isolation = connection.getTransactionIsolation();
    if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
      throw notReadCommitted("level " + isolation + " of java.sql.Connection");
    }
  }

  static StoreException notReadCommitted(String isolation) {
    return new StoreException("isolation of the transaction frame's transaction is " + isolation
        + " but must be READ COMMITTED");
  }

  /**
   * Rolls back and restores after a failure, and adds further failures to it as suppressed. If the
   * rollback fails it does not restore, because turning autocommit on would commit.
   */
  static void undo(Connection connection, Dialect.Restore restore, Throwable because) {
    restoreOrAbort(
        connection,
        () -> {
          if (!connection.getAutoCommit()) {
            connection.rollback();
          }
          restore.restore();
        },
        because);
  }

  /** Restores after a failure in a transaction that the application rolls back. */
  static void restoreOrAbort(Connection connection, Dialect.Restore restore, Throwable because) {
    try {
      restore.restore();
    } catch (SQLException | RuntimeException e) {
      because.addSuppressed(e);
      abort(connection, because);
    }
  }

  /** Restores after a commit. A failure does not undo the commit, so it is logged only. */
  static void restore(Connection connection, Dialect.Restore restore) {
    try {
      restore.restore();
    } catch (SQLException | RuntimeException e) {
      abort(connection, e);
      LOG.warn("Could not restore the session of a connection; the connection was aborted", e);
    }
  }

  /** Makes the connection useless, so that no pool lends it again. */
  static void abort(Connection connection, Throwable because) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException e) {
      because.addSuppressed(e);
    }
  }
}
