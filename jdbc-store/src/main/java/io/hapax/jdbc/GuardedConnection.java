package io.hapax.jdbc;

import io.hapax.store.BrokenTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives a handler the transaction's connection without the methods that end the transaction or
 * change the session. Statements, results, arrays and metadata are guarded too. All of them stop
 * working when the handler has returned.
 */
final class GuardedConnection {

  private final StatementScreen screen;
  private final Connection guarded;
  private final ReadWriteLock calls = new ReentrantReadWriteLock();
  private boolean over;
  private volatile @Nullable BrokenTransactionException violation;
  private volatile @Nullable SQLException lastError;
  private volatile long lastAnswerNanos = System.nanoTime();
  private volatile @Nullable Loss loss;

  /** The first error that says that the connection is lost, and the pause before it. */
  private record Loss(SQLException error, Duration pause) {}

  GuardedConnection(Connection connection, StatementScreen screen) {
    this.screen = screen;
    this.guarded = (Connection) Guard.on(connection, this);
  }

  Connection connection() {
    return guarded;
  }

  /** Returns what the handler tried, even if it swallowed the refusal. */
  Optional<BrokenTransactionException> violation() {
    return Optional.ofNullable(violation);
  }

  /** Returns the last SQL error on this connection, even if the handler swallowed it. */
  Optional<SQLException> lastError() {
    return Optional.ofNullable(lastError);
  }

  /** Remembers that the database has executed a statement. */
  void answered() {
    lastAnswerNanos = System.nanoTime();
  }

  /** Returns the first error that says that the connection is lost. */
  Optional<SQLException> loss() {
    return Optional.ofNullable(loss).map(Loss::error);
  }

  /**
   * Returns how long the database had executed no statement of this connection, before the
   * connection was lost or until now. The handler may have executed others past this connection.
   */
  Duration pause() {
    Loss lost = loss;
    return lost == null ? sinceLastAnswer() : lost.pause();
  }

  private Duration sinceLastAnswer() {
    return Duration.ofNanos(System.nanoTime() - lastAnswerNanos);
  }

  /**
   * Ends all access. Waits for running calls of the handler's other threads, because a later call
   * would start a transaction of its own.
   */
  void close() {
    Lock exclusive = calls.writeLock();
    exclusive.lock();
    try {
      over = true;
    } finally {
      exclusive.unlock();
    }
  }

  /** A call on the driver. */
  @FunctionalInterface
  interface Call {
    @Nullable
    Object make() throws Throwable;
  }

  /** Makes the first call while the transaction is open, otherwise the second. */
  @Nullable
  Object whileOpen(Call call, Call afterwards) throws Throwable {
    Duration pause = sinceLastAnswer();
    Lock shared = calls.readLock();
    shared.lock();
    try {
      return over ? afterwards.make() : call.make();
    } catch (SQLException e) {
      lastError = e;
      if (loss == null && SqlErrors.isConnectionLoss(e)) {
        loss = new Loss(e, pause);
      }
      throw e;
    } finally {
      shared.unlock();
    }
  }

  /** Refuses SQL that would end the transaction. */
  void screen(String sql) {
    Optional<String> ending = screen.ending(sql);
    if (ending.isPresent()) {
      throw refused("ran the statement " + ending.get());
    }
  }

  BrokenTransactionException refused(String deed) {
    BrokenTransactionException refusal = new BrokenTransactionException("the handler " + deed
        + " but must not end the transaction or change its connection: return to commit, throw"
        + " to roll back");
    if (violation == null) {
      violation = refusal;
    }
    return refusal;
  }
}
