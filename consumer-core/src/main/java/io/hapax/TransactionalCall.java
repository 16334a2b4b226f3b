package io.hapax;

import io.hapax.mark.Bytes;

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
   * @throws X if it failed; everything is rolled back, and the next call under the same id may run
   */
  Bytes call(T transaction, Delivery<Bytes> delivery) throws X;
}
