package io.hapax.store;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import java.util.List;
import java.util.Optional;

/**
 * A store that commits a mark and the handler's writes in one transaction: both or neither.
 *
 * @param <T> the transaction's handle, through which the handler writes; a
 *     {@link java.sql.Connection} for databases
 */
public interface TransactionalDedupStore<T> extends DedupStore {

  /**
   * Work that is part of a transaction.
   *
   * @param <T> the transaction's handle
   * @param <X> what the work may throw
   */
  @FunctionalInterface
  interface Work<T, X extends Exception> {

    /**
     * Does the work.
     *
     * @param transaction the transaction's handle, not to be committed, rolled back, closed or kept
     * @throws X if the work failed; the transaction is then rolled back
     */
    void run(T transaction) throws X;
  }

  /**
   * Work for a batch that is part of a transaction.
   *
   * @param <T> the transaction's handle
   * @param <X> what the work may throw
   */
  @FunctionalInterface
  interface BatchWork<T, X extends Exception> {

    /**
     * Does the work for exactly those requests whose answer is {@link ClaimAnswer.Acquired}.
     *
     * @param transaction the transaction's handle, not to be committed, rolled back, closed or kept
     * @param answers an answer for each request of the batch
     * @throws X if the work failed; the transaction is then rolled back
     */
    void run(T transaction, List<ClaimAnswer> answers) throws X;
  }

  /**
   * Finds the requests whose messages are done already, without a transaction, a lock or a write.
   * The engine acknowledges these messages and gives only the others to {@link #runOnce}.
   *
   * <p>A message is found only if its mark is DONE, has the request's fingerprint (or one of them
   * has none), and has not outlived the retention by the store's clock
   * ({@link io.hapax.mark.MarkMachine#findDone} for each mark). The key contains the generation, so
   * a mark of another generation is not found. Every other request gets no answer, and
   * {@code runOnce} decides about it. A store may leave out any answer.
   *
   * <p><b>What is read.</b> One read of the server that accepts writes, never of a replica: a
   * replica may still show a mark as DONE that an operator has reopened since. Only committed marks
   * are read, under each isolation level of the caller's connections. An uncommitted DONE mark may
   * be rolled back together with its effect.
   *
   * <p><b>Why a mark may be answered that changes right afterwards.</b> The read happens after the
   * delivery. A mark that was DONE at that time belongs to an effect that was committed before, so
   * this delivery need not run; {@code runOnce} holds no lock on such marks either. A purge and a
   * reopened mark concern later deliveries, and a new generation has other keys. The engine does
   * not look up while the generation has not been read lately.
   *
   * <p><b>Durability.</b> The answer is worth as much as that of {@code runOnce} for a batch of
   * known messages, which does not write either. A store that shows a commit before it is durable,
   * which transactional mode refuses, could lose the mark in a crash after the acknowledgement.
   *
   * @param requests the requests, keys distinct
   * @return for each request the answer if its message is known to be done, otherwise empty
   * @throws StoreException if the store did not answer; nothing was changed
   */
  List<Optional<ClaimAnswer.Done>> findDone(List<ClaimRequest> requests);

  /**
   * Runs a batch in one transaction. It marks DONE every message that is absent, due for a retry,
   * or whose lease has expired ({@link io.hapax.mark.MarkMachine#complete} for each mark), runs the
   * work for exactly these, and commits. Other requests are answered from their mark's state. If no
   * message was acquired, the work is not run.
   *
   * <p>If another transaction holds one of the marks longer than the store's lock wait, the store
   * rolls back and answers every request of the batch with {@link ClaimAnswer.Busy}. After a crash
   * either everything is written or nothing is.
   *
   * @param requests the requests, keys distinct
   * @param work the work
   * @param <X> what the work may throw
   * @return an answer for each request, after the commit
   * @throws X what the work threw, after the rollback
   * @throws StoreContentionException if the store rolled back because of other transactions
   * @throws CommitUnknownException if the commit's outcome is unknown; run it again
   * @throws BrokenTransactionException if the work broke the transaction, which was rolled back. If
   *     the work had committed a part of it before, no mark is DONE and the exception says so
   * @throws StoreException if the store did not answer; nothing is committed
   */
  <X extends Exception> List<ClaimAnswer> runOnce(List<ClaimRequest> requests, BatchWork<T, X> work)
      throws X;

  /**
   * Runs the work for a claim in one transaction. The first statement moves the claim to DONE, and
   * the work follows. Until the transaction ends no other owner takes over, even if its lease
   * expires.
   *
   * @param claim a claim acquired before
   * @param work the work; run only if the claim was still current
   * @param <X> what the work may throw
   * @return {@code Settled} after the commit, or if an earlier call had committed it;
   *     {@code Fenced}, with nothing written and the work not run, if the claim is not current any
   *     more. If the mark was lost, it is written anew and the work is run: {@code Settled} with
   *     {@code markLost}
   * @throws X what the work threw, after the rollback; the claim is as it was
   * @throws StoreContentionException if the store rolled back because of other transactions, or the
   *     mark stayed locked longer than the lock wait
   * @throws CommitUnknownException if the commit's outcome is unknown; run it again
   * @throws BrokenTransactionException if the work broke the transaction, which was rolled back. If
   *     the work had committed a part of it before, no mark is DONE and the exception says so
   * @throws StoreException if the store did not answer; nothing is committed
   */
  <X extends Exception> SettleAnswer completeWith(Claim claim, Work<T, X> work) throws X;

  /**
   * Writes the result of a message into its mark, which {@link #runOnce} or {@link #completeWith}
   * has made DONE in the same transaction. Commits or is rolled back with it. Duplicates then get
   * it as {@link ClaimAnswer.Done#result()}. A second result replaces the first.
   *
   * @param transaction the handle that the work was given; on the thread that runs the work
   * @param claim the claim of the message
   * @param result the result
   * @throws IllegalStateException if the mark of the claim is not DONE in this transaction
   * @throws StoreException if the store did not answer; the transaction must then be rolled back
   */
  void keepResult(T transaction, Claim claim, Bytes result);
}
