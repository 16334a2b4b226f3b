package io.hapax.jdbc;

import io.hapax.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Borrowed connections go back as they came, or not at all. */
final class Transactions {

  private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);

  private Transactions() {}

  /** Sets autocommit and says how to set it back. */
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

  /** Sets READ COMMITTED and says how to set back what was there. */
  static Dialect.Restore readCommitted(Connection connection) throws SQLException {
    int before = connection.getTransactionIsolation();
    if (before == Connection.TRANSACTION_READ_COMMITTED) {
      return () -> {};
    }
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    return () -> connection.setTransactionIsolation(before);
  }

  /** Refuses a transaction of the application that has another isolation. */
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
   * Rolls back and restores after a failure, which keeps whatever else fails. If it does not roll
   * back nothing else is tried: restoring autocommit would commit.
   */
  static void undo(Connection connection, Dialect.Restore restore, Throwable because) {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      restore.restore();
    } catch (SQLException | RuntimeException e) {
      because.addSuppressed(e);
      abort(connection, because);
    }
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

  /** What was done stands, whatever happens now. */
  static void restore(Connection connection, Dialect.Restore restore) {
    try {
      restore.restore();
    } catch (SQLException | RuntimeException e) {
      abort(connection, e);
      LOG.warn("A connection could not be restored and was thrown away", e);
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
