package io.hapax.jdbc;

import io.hapax.store.BrokenTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * What a handler sees of the transaction's connection: everything but its end, and nothing that
 * would outlive it. What it makes (statements, results, arrays, metadata) leads back to the guard,
 * and none of it works once the handler has returned.
 */
final class GuardedConnection {

  private final StatementScreen screen;
  private final Connection guarded;
  private final ReadWriteLock calls = new ReentrantReadWriteLock();
  private boolean over;
  private volatile @Nullable BrokenTransactionException violation;
  private volatile @Nullable SQLException lastError;

  GuardedConnection(Connection connection, StatementScreen screen) {
    this.screen = screen;
    this.guarded = (Connection) Guard.on(connection, this);
  }

  Connection connection() {
    return guarded;
  }

  /** What the handler tried, even if it swallowed the refusal. */
  Optional<BrokenTransactionException> violation() {
    return Optional.ofNullable(violation);
  }

  /** The last SQL error that the handler met on this connection, even if it swallowed it. */
  Optional<SQLException> lastError() {
    return Optional.ofNullable(lastError);
  }

  /**
   * From now on nothing works any more. Waits for calls of the handler's other threads: one that
   * came through later would be a transaction of its own.
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

  /** Makes a call while the transaction is open, or else does what is left to do. */
  @Nullable
  Object whileOpen(Call call, Call afterwards) throws Throwable {
    Lock shared = calls.readLock();
    shared.lock();
    try {
      return over ? afterwards.make() : call.make();
    } catch (SQLException e) {
      lastError = e;
      throw e;
    } finally {
      shared.unlock();
    }
  }

  /** Refuses a statement that would end the transaction. */
  void screen(String sql) {
    Optional<String> ending = screen.ending(sql);
    if (ending.isPresent()) {
      throw refused("ran the statement " + ending.get());
    }
  }

  BrokenTransactionException refused(String deed) {
    BrokenTransactionException refusal = new BrokenTransactionException("the handler " + deed
        + " but must leave the transaction and its connection as they are: return to commit, throw"
        + " to roll back");
    if (violation == null) {
      violation = refusal;
    }
    return refusal;
  }
}
