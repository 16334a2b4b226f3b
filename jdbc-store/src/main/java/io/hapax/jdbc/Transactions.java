package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Borrowed connections go back as they came. */
final class Transactions {

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

  static void rollback(Connection connection, Throwable because) {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }

  /** Rolls back and restores after a failure, which keeps whatever else fails. */
  static void undo(Connection connection, Dialect.Restore restore, Throwable because) {
    rollback(connection, because);
    try {
      restore.restore();
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }
}
