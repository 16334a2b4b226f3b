package io.hapax.testkit;

import io.hapax.store.TransactionalDedupStore;

/**
 * A transactional store under test, and a table for effects in the same database. The table has no
 * unique constraint: an effect that is written twice must be counted twice.
 *
 * @param <T> the transaction's handle
 */
public interface TransactionalStoreFixture<T> extends StoreFixture {

  /**
   * Returns always the same store. Its lock timeout should be short (some hundred milliseconds),
   * because the contract waits for it.
   */
  @Override
  TransactionalDedupStore<T> store();

  @Override
  TransactionalDedupStore<T> other();

  /**
   * Writes an effect as a part of the transaction. The contract makes the id unique across tests.
   *
   * @throws Exception if the database refuses
   */
  void writeEffect(T transaction, String id) throws Exception;

  /**
   * Makes the database refuse a statement of the transaction, as a broken constraint does.
   *
   * @throws Exception always
   */
  void meetError(T transaction) throws Exception;

  /**
   * Tries to roll the transaction back through its handle, which work must not do.
   *
   * @throws Exception if the store refuses
   */
  void rollBackByHand(T transaction) throws Exception;

  /** Counts the committed effects of a message. */
  int effects(String id);
}
