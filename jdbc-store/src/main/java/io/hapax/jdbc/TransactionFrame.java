package io.hapax.jdbc;

import java.sql.Connection;

/**
 * Begins, commits and rolls back the transactions of {@link JdbcDedupStore#runOnce} and
 * {@link JdbcDedupStore#completeWith}. Give the store a frame if marks must commit in transactions
 * that a framework manages, for example those of an application server or of an object-relational
 * mapper. Without a frame the store borrows a connection of its data source and ends the
 * transaction itself, which costs fewer round trips on MySQL and MariaDB.
 *
 * <p><b>What a frame must do.</b> It begins a new transaction for each call, even if the calling
 * thread has one already. The transaction is READ COMMITTED, on the database that holds the store's
 * table, and its connection has autocommit off. The frame calls the body once, on the calling
 * thread, before any other statement of the transaction. It commits after the body has returned and
 * rolls back after the body has thrown anything. If other code can use the transaction after the
 * body has returned, for example callbacks before the commit, the frame calls
 * {@link Body#beforeCommit} after that code. It never runs the body again: the engine decides about
 * that.
 *
 * <p><b>What the store does inside.</b> The body writes the marks, calls the handler with a guarded
 * connection, calls {@code flush}, and checks that the transaction is still the one that holds the
 * marks. {@code beforeCommit} checks this again. The body sets its limits to waiting for locks and
 * to idle time at the start, and sets the session's own limits back before it returns or throws. If
 * it cannot set them back it aborts the connection. Claims, renewals and settlements do not use the
 * frame.
 *
 * <p><b>A handler that writes by another way</b> than the guarded connection, for example through a
 * connection that the frame bound to the thread, is not guarded. The check after its call still
 * finds a transaction that was ended or has failed. If the handler has committed it, the store
 * takes the marks back, so that the messages are in doubt and run again. A deadlock or a lost
 * connection that such a handler throws is the store's failure if it took the transaction with it,
 * and otherwise the handler's. The store does not see the statements of such a handler. If the
 * connection is lost without a reason after the idle limit has passed since the marks were written,
 * the store takes the handler for idle: it is the handler's failure.
 *
 * <p><b>Crash.</b> A crash before the commit leaves neither marks nor effects. A crash after the
 * commit leaves both, and the message is answered as done when the broker delivers it again. A
 * frame that commits several resources one after the other loses this guarantee.
 *
 * <p><b>Threads.</b> A frame is used by many threads at once, each with a transaction of its own.
 */
@FunctionalInterface
public interface TransactionFrame {

  /**
   * Runs the body in a new transaction and commits it.
   *
   * <p>The store judges an exception by when it was thrown:
   *
   * <ul>
   *   <li>Before the body was called: nothing was written. The verb throws a
   *       {@link io.hapax.store.StoreException}.
   *   <li>After the body has thrown: the verb throws what the body threw. The frame may throw that
   *       exception, or wrap it, or throw that of a rollback that failed. A frame whose rollback
   *       fails must not commit the connection by turning autocommit on.
   *   <li>After the body has returned: the commit failed. An SQL error among the causes whose
   *       SQLState is that of a refused commit (a constraint, a deadlock, a serialization failure)
   *       says that nothing was written. A {@link io.hapax.store.StoreException} or
   *       {@link io.hapax.store.BrokenTransactionException} of the frame is passed on. Every other
   *       exception makes the outcome unknown: the verb throws
   *       {@link io.hapax.store.CommitUnknownException}, and the engine runs the verb again with
   *       the same nonces until the marks decide.
   * </ul>
   *
   * <p>Once the transaction is committed the frame must return, even if a callback after the commit
   * or the return of the connection fails.
   *
   * @param body what runs in the transaction
   * @param <X> what the body may throw
   * @throws X what the body threw, after the rollback
   */
  <X extends Exception> void run(Body<X> body) throws X;

  /**
   * What the store runs in a transaction.
   *
   * @param <X> what it may throw
   */
  @FunctionalInterface
  interface Body<X extends Exception> {

    /**
     * Writes the marks and runs the handler.
     *
     * @param connection the transaction's connection; the frame closes it after the commit or the
     *     rollback
     * @param flush writes what the application has buffered for this transaction. The store calls
     *     it on the same thread after the handler has returned, and treats what it throws as the
     *     handler's failure. It throws {@link io.hapax.store.BrokenTransactionException} if the
     *     application has marked the transaction for rollback only
     * @throws X what the handler threw; the frame must roll back
     */
    void in(Connection connection, Runnable flush) throws X;

    /**
     * Checks that the transaction still holds the marks. Code that ran after the body may have
     * ended the transaction: after a deadlock MySQL and MariaDB roll back everything and then
     * commit nothing without an error. The message would be acknowledged without its mark and its
     * effect.
     *
     * <p>The frame calls this method at most once, on the thread of the transaction, as its last
     * action before the commit. It rolls back if the method throws. The verb then throws a
     * {@link io.hapax.store.BrokenTransactionException}, or a {@link io.hapax.store.StoreException}
     * if the database does not answer. A frame need not call the method if no code runs between the
     * body and the commit.
     */
    default void beforeCommit() {}
  }
}
