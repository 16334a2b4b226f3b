package io.hapax.testkit;

import io.hapax.store.TransactionalDedupStore;

/**
 * A transactional store under test, and a place for effects in the same database. That place has no
 * unique constraint: an effect written twice must be counted twice.
 *
 * @param <T> the transaction's handle
 */
public interface TransactionalStoreFixture<T> extends StoreFixture {

  /**
   * The store. Its lock wait should be short (some hundred milliseconds): the contract waits for it
   * to pass.
   *
   * @return always the same store
   */
  @Override
  TransactionalDedupStore<T> store();

  @Override
  TransactionalDedupStore<T> other();

  /**
   * Writes an effect as a part of the transaction.
   *
   * @param transaction the transaction's handle
   * @param id the message's id; the contract makes it unique across tests
   * @throws Exception if the database refused
   */
  void writeEffect(T transaction, String id) throws Exception;

  /**
   * Lets the database refuse something within the transaction, as a broken constraint does.
   *
   * @param transaction the transaction's handle
   * @throws Exception always
   */
  void meetError(T transaction) throws Exception;

  /**
   * Tries to roll the transaction back by its handle, as work must not do.
   *
   * @param transaction the transaction's handle
   * @throws Exception if the store refuses
   */
  void rollBackByHand(T transaction) throws Exception;

  /**
   * Counts the committed effects of a message.
   *
   * @param id the message's id
   * @return how many there are
   */
  int effects(String id);
}
