package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A frame in the manner of a framework: it binds the transaction's connection to the thread, keeps
 * writes back until a flush, and wraps SQL errors.
 */
class ThreadBoundFrame implements TransactionFrame {

  private static final ThreadLocal<@Nullable Connection> BOUND = new ThreadLocal<>();
  private static final ThreadLocal<Deque<Write>> BUFFERED =
      ThreadLocal.withInitial(ArrayDeque::new);

  private final DataSource dataSource;

  /** How transactions ended, in their order, as another resource of the transaction sees it. */
  final List<String> ends = new CopyOnWriteArrayList<>();

  ThreadBoundFrame(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** A write that waits for the flush. */
  @FunctionalInterface
  interface Write {
    void on(Connection connection) throws SQLException;
  }

  /** The connection of the transaction that this thread is in. */
  Connection connection() {
    return Objects.requireNonNull(BOUND.get(), "no transaction on this thread");
  }

  void atFlush(Write write) {
    BUFFERED.get().add(write);
  }

  /** Begins a transaction on a connection of the pool. */
  void begin(Connection connection) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    connection.setAutoCommit(false);
  }

  void commit(Connection connection) throws SQLException {
    connection.commit();
  }

  /** Runs what the framework calls between the body and the commit. */
  void callbacks(Connection connection) {}

  void rollback(Connection connection) throws SQLException {
    connection.rollback();
  }

  @Override
  public <X extends Exception> void run(Body<X> body) throws X {
    Connection connection = opened();
    Dialect.Restore restore = begun(connection);
    BOUND.set(connection);
    try {
      body.in(connection, this::flush);
      callbacks(connection);
      body.beforeCommit();
    } catch (Throwable e) {
      try {
        rollback(connection);
        ends.add("rolled back");
        close(connection, restore);
      } catch (SQLException failed) {
        abort(connection);
        ends.add("in doubt");
        throw new IllegalStateException("rollback failed", failed);
      }
      throw e;
    } finally {
      BOUND.remove();
      BUFFERED.remove();
    }
    try {
      commit(connection);
      ends.add("committed");
    } catch (SQLException failed) {
      abort(connection);
      ends.add("in doubt");
      throw new IllegalStateException("commit failed", failed);
    }
    close(connection, restore);
  }

  private Connection opened() {
    try {
      return dataSource.getConnection();
    } catch (SQLException e) {
      throw new IllegalStateException("no connection", e);
    }
  }

  private Dialect.Restore begun(Connection connection) {
    try {
      boolean autocommit = connection.getAutoCommit();
      int isolation = connection.getTransactionIsolation();
      begin(connection);
      return () -> {
        connection.setAutoCommit(autocommit);
        connection.setTransactionIsolation(isolation);
      };
    } catch (SQLException e) {
      abort(connection);
      throw new IllegalStateException("no transaction", e);
    }
  }

  /** Writes what was kept back. */
  void flush() {
    Deque<Write> writes = BUFFERED.get();
    while (!writes.isEmpty()) {
      try {
        writes.remove().on(connection());
      } catch (SQLException e) {
        throw new IllegalStateException("flush failed", e);
      }
    }
  }

  private static void close(Connection connection, Dialect.Restore restore) {
    try {
      restore.restore();
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("connection not given back", e);
    }
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      throw new IllegalStateException("connection not aborted", e);
    }
  }
}
