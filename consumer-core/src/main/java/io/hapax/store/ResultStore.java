package io.hapax.store;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;

/**
 * A transactional store that can keep a result in the DONE mark of a running transaction.
 *
 * @param <T> the transaction's handle
 */
public interface ResultStore<T> extends TransactionalDedupStore<T> {

  /**
   * Writes the result of a message into its mark, which {@link #runOnce} or {@link #completeWith}
   * has made DONE in the same transaction. Commits or is rolled back with it. Duplicates then get
   * it as {@link io.hapax.mark.ClaimAnswer.Done#result()}. A second result replaces the first.
   *
   * @param transaction the handle that the work was given; on the thread that runs the work
   * @param claim the claim of the message
   * @param result the result
   * @throws IllegalStateException if the mark of the claim is not DONE in this transaction
   * @throws StoreException if the store did not answer; the transaction must then be rolled back
   */
  void keepResult(T transaction, Claim claim, Bytes result);
}
