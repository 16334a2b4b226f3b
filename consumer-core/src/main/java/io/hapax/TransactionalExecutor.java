package io.hapax;

import io.hapax.errors.ReceiverClosedException;
import io.hapax.errors.ResultTooLongException;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.store.StoreException;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.List;

/**
 * Runs a call once for each id and gives duplicates the result of that run, without a broker. The
 * writes of the call, the DONE mark and the result are committed in one transaction: exactly-once
 * effect in that database. Otherwise it is like {@link IdempotentExecutor}, whose builder makes it.
 *
 * <p>A crash at any moment rolls the transaction back; the next call under the id runs at once.
 * Another call under the same id in another process waits for the transaction, at most for the lock
 * wait of the store, and then answers {@link ExecutionResult.InProgress}.
 *
 * @param <T> the transaction's handle, for databases a {@link java.sql.Connection}
 */
public final class TransactionalExecutor<T> extends Executions<TransactionalExecutor.Attempt<T>> {

  /** What a call receives. */
  record Attempt<T>(T transaction, Delivery<Bytes> delivery) {}

  private final TransactionalDedupStore<T> store;
  private final int resultLimit;

  TransactionalExecutor(
      String name,
      IdempotentReceiver<PendingExecution<Attempt<T>>> receiver,
      List<Runnable> preconditions,
      Duration patience,
      TransactionalDedupStore<T> store,
      int resultLimit) {
    super(name, receiver, preconditions, patience, Duration.ZERO);
    this.store = store;
    this.resultLimit = resultLimit;
  }

  /**
   * Executes a call under a text id, as {@link #execute(Bytes, Fingerprint, TransactionalCall)}
   * does.
   *
   * @param id the id, as UTF-8
   * @param fingerprint the fingerprint of the request
   * @param call the call
   * @param <X> what the call may throw
   * @return the answer
   * @throws X what the call threw
   * @throws InterruptedException as there
   */
  public <X extends Exception> ExecutionResult execute(
      String id, Fingerprint fingerprint, TransactionalCall<T, X> call)
      throws X, InterruptedException {
    return execute(Bytes.utf8(id), fingerprint, call);
  }

  /**
   * Executes a call in a transaction of its own, unless an earlier call under the same id took
   * effect or runs. It may run the call again after a rollback. <b>The call must make the objects
   * that it changes</b>: those of an earlier run cannot be restored.
   *
   * @param id the id, by the rules of {@link IdempotentExecutor#execute}
   * @param fingerprint the fingerprint of the request; {@link Fingerprint#NONE} compares nothing
   * @param call the call
   * @param <X> what the call may throw
   * @return the answer
   * @throws X what the call threw, after the rollback
   * @throws ResultTooLongException if the result is longer than
   *     {@link ExecutorBuilder#resultLimit}; everything is rolled back
   * @throws StoreException if the database did not answer within the patience
   *     ({@link ExecutorBuilder#patience}). If the call ran, it may have been committed: ask again
   *     under the same id
   * @throws InterruptedException if the calling thread was interrupted. If the call had returned,
   *     it may have been committed, and the next call under the id gets its result then
   * @throws IllegalStateException if a call that this executor runs on this thread calls it
   * @throws ReceiverClosedException if the executor is closed, or has failed before the call. A
   *     call that still ran when the executor was closed may have taken effect
   */
  public <X extends Exception> ExecutionResult execute(
      Bytes id, Fingerprint fingerprint, TransactionalCall<T, X> call)
      throws X, InterruptedException {
    return this.<X>executeOnce(id, fingerprint, attempt -> run(attempt, call));
  }

  private Bytes run(Attempt<T> attempt, TransactionalCall<T, ?> call) throws Exception {
    Bytes result = call.call(attempt.transaction(), attempt.delivery());
    if (result.length() > resultLimit) {
      throw new ResultTooLongException(
          attempt.delivery().messageId(), result.length(), resultLimit);
    }
    store.keepResult(attempt.transaction(), attempt.delivery().claim(), StoredResult.of(result));
    return result;
  }

  /**
   * What a {@link TransactionalExecutor} runs once for each id: its writes through the given
   * transaction are committed together with the DONE mark, or not at all. Effects outside the
   * transaction are not protected.
   *
   * @param <T> the transaction's handle, for databases a {@link java.sql.Connection}
   * @param <X> what it may throw
   */
  @FunctionalInterface
  public interface TransactionalCall<T, X extends Exception> {

    /**
     * Writes through the transaction. It may be called again after a rollback, for example if it is
     * unknown whether the database committed.
     *
     * @param transaction the transaction; must not be committed, rolled back, closed or kept
     * @param delivery the attempt; its message is the id. Valid only while the call runs
     * @return the result, which a later call under the same id gets instead of running;
     *     {@link Bytes#EMPTY} for none
     * @throws X if it failed; everything is rolled back, and the next call under the same id may
     *     run
     */
    Bytes call(T transaction, Delivery<Bytes> delivery) throws X;
  }
}
