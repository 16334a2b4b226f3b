package io.hapax.jdbc;

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
      discard(connection, because);
    }
  }

  /** What was done stands, whatever happens now. */
  static void restore(Connection connection, Dialect.Restore restore) {
    try {
      restore.restore();
    } catch (SQLException | RuntimeException e) {
      discard(connection, e);
      LOG.warn("A connection could not be restored and was thrown away", e);
    }
  }

  private static void discard(Connection connection, Throwable because) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException e) {
      because.addSuppressed(e);
    }
  }
}
