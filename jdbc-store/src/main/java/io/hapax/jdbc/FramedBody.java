package io.hapax.jdbc;

import io.hapax.store.BrokenTransactionException;
import io.hapax.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The store's part of one transaction that a frame begins and ends. It remembers how far it came,
 * to distinguish an exception of the frame from one of the body.
 */
final class FramedBody<R, X extends Exception>
    implements TransactionFrame.Body<X>, TransactionRunner.Owner {

  private final String what;
  private final TransactionRunner.Body<R, X> body;
  private final Dialect dialect;
  private final JdbcSettings settings;
  private Runnable flush = () -> {};
  private Optional<Runnable> check = Optional.empty();
  private boolean called;
  private @Nullable R result;
  private @Nullable Throwable failure;

  FramedBody(
      String what, TransactionRunner.Body<R, X> body, Dialect dialect, JdbcSettings settings) {
    this.what = what;
    this.body = body;
    this.dialect = dialect;
    this.settings = settings;
  }

  @Override
  public void in(Connection connection, Runnable flush) throws X {
    if (called) {
      throw new IllegalStateException("the transaction frame called its body a second time");
    }
    called = true;
    this.flush = flush;
    try {
      result = limited(connection);
    } catch (Throwable e) {
      failure = e;
      throw e;
    }
  }

  @Override
  public void flush() {
    flush.run();
  }

  @Override
  public void checkAtCommit(Runnable again) {
    check = Optional.of(again);
  }

  @Override
  public void beforeCommit() {
    try {
      check.ifPresent(Runnable::run);
    } catch (Throwable e) {
      failure = e;
      throw e;
    }
  }

  /** Sets the limits back before the frame commits: afterwards the connection is the frame's. */
  private R limited(Connection connection) throws X {
    Dialect.Transaction transaction = join(connection);
    R answer;
    try (Handle handle = Connections.wrap(connection)) {
      answer = body.in(handle, transaction, this);
    } catch (Throwable e) {
      Transactions.restoreOrAbort(connection, transaction, e);
      throw e;
    }
    try {
      if (check.isPresent()) {
        transaction.askAgain();
      }
      transaction.restore();
    } catch (SQLException e) {
      Transactions.abort(connection, e);
      throw SqlErrors.during(what, e, settings);
    }
    return answer;
  }

  private Dialect.Transaction join(Connection connection) {
    try {
      if (connection.getAutoCommit()) {
        throw new StoreException(
            what + ": autocommit of the transaction frame's connection is on but must be off");
      }
      return dialect.join(connection, settings);
    } catch (SQLException e) {
      throw SqlErrors.during(what, e, settings);
    }
  }

  /** Returns the body's result, after the frame has returned. */
  R afterReturn() {
    if (failure != null) {
      throw new BrokenTransactionException(
          what + ": the transaction frame returned although its body had failed, and may have"
              + " committed marks without their effects",
          failure);
    }
    if (result == null) {
      throw new StoreException(what + ": the transaction frame did not call its body");
    }
    return result;
  }

  /** Decides what an exception of the frame means, and returns or throws what the verb throws. */
  RuntimeException afterFailure(Throwable thrown) throws X {
    if (failure != null) {
      if (!SqlErrors.causes(thrown).contains(failure)) {
        failure.addSuppressed(thrown);
      }
      throw FramedBody.<X>ofBody(failure);
    }
    if (result != null) {
      return SqlErrors.duringCommit(thrown);
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    return SqlErrors.during(what, thrown, settings);
  }

  /** The body threw it, and the only checked exceptions that the body throws are these. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException ofBody(Throwable failure) throws T {
    throw (T) failure;
  }
}
