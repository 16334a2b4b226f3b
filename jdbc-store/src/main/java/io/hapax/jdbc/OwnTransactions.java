package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Runs transactions on connections that the store borrows, commits and gives back itself. */
final class OwnTransactions implements TransactionRunner {

  /** No code of the application runs between the handler and the commit. */
  private static final Owner ALONE = new Owner() {
    @Override
    public void flush() {
      // The application buffers nothing for a transaction of the store.
    }

    @Override
    public void checkAtCommit(Runnable check) {
      // The store commits right after its first check.
    }
  };

  private final Connections connections;
  private final Dialect dialect;
  private final JdbcSettings settings;

  OwnTransactions(Connections connections, Dialect dialect, JdbcSettings settings) {
    this.connections = connections;
    this.dialect = dialect;
    this.settings = settings;
  }

  @Override
  public <R, X extends Exception> R run(String what, Body<R, X> body) throws X {
    return connections.<R, X>borrow(what, handle -> {
      Connection connection = handle.getConnection();
      Dialect.Transaction transaction = begin(what, connection);
      R result;
      try {
        result = body.in(handle, transaction, ALONE);
        commit(connection);
      } catch (Throwable e) {
        Transactions.undo(connection, transaction, e);
        throw e;
      }
      Transactions.restore(connection, transaction);
      return result;
    });
  }

  private Dialect.Transaction begin(String what, Connection connection) {
    try {
      return dialect.begin(connection, settings);
    } catch (SQLException e) {
      throw SqlErrors.during(what, e, settings);
    }
  }

  private static void commit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      throw SqlErrors.duringCommit(e);
    }
  }
}
