package io.hapax.store;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import java.util.List;

/**
 * A store that can keep a mark and the handler's own writes in one transaction, so that both stand
 * or neither does.
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
     * @param transaction the transaction's handle; must not be committed, rolled back, closed or
     *     kept
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
     * @param transaction the transaction's handle; must not be committed, rolled back, closed or
     *     kept
     * @param answers an answer for each request of the batch
     * @throws X if the work failed; the transaction is then rolled back
     */
    void run(T transaction, List<ClaimAnswer> answers) throws X;
  }

  /**
   * In one transaction: marks DONE every message that is absent, due for a retry, or whose lease is
   * over, runs the work for exactly those, and commits ({@link io.hapax.mark.MarkMachine#complete}
   * for each mark). Other requests are answered from their mark's state. If no message was acquired
   * the work is not run.
   *
   * <p>If another transaction holds one of the marks longer than the store's lock wait, everything
   * is rolled back and every request of the batch is answered {@link ClaimAnswer.Busy}. A crash at
   * any point leaves nothing behind or everything.
   *
   * @param requests the requests, keys distinct
   * @param work the work
   * @param <X> what the work may throw
   * @return an answer for each request; once it is returned the transaction is committed
   * @throws X what the work threw, after the rollback
   * @throws StoreContentionException if the store rolled back because of others; nothing stands
   * @throws CommitUnknownException if the commit's outcome is unknown; run it again
   * @throws BrokenTransactionException if the work broke the transaction; nothing stands
   * @throws StoreException if the store did not answer; nothing stands
   */
  <X extends Exception> List<ClaimAnswer> runOnce(List<ClaimRequest> requests, BatchWork<T, X> work)
      throws X;

  /**
   * In one transaction: moves an acquired claim to DONE, as the first statement, and then runs the
   * work. While the transaction is open nobody else can take the claim over, whatever its lease
   * says.
   *
   * @param claim a claim acquired before
   * @param work the work; run only if the claim was still current
   * @param <X> what the work may throw
   * @return {@code Settled} once the transaction is committed, or if an earlier call had committed
   *     it; {@code Fenced}, with nothing written and the work not run, if the claim is not current
   *     any more. A mark that was lost is written anew and the work is run, {@code Settled} with
   *     {@code markLost}
   * @throws X what the work threw, after the rollback; the claim is as it was
   * @throws StoreContentionException if the store rolled back because of others, or the mark stayed
   *     locked longer than the lock wait; nothing stands
   * @throws CommitUnknownException if the commit's outcome is unknown; run it again
   * @throws BrokenTransactionException if the work broke the transaction; nothing stands
   * @throws StoreException if the store did not answer; nothing stands
   */
  <X extends Exception> SettleAnswer completeWith(Claim claim, Work<T, X> work) throws X;
}
