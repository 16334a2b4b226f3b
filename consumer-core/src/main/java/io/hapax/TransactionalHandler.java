package io.hapax;

import java.util.List;

/**
 * The user's work in transactional mode: everything that it writes through the given transaction
 * stands together with the messages' DONE marks, or not at all.
 *
 * <p>It may be called more than once for one commit: after a rolled back batch each message is
 * tried alone. Effects outside the transaction are therefore not protected. The messages of one
 * call may be of several lanes (for Kafka: partitions), those of one lane in its order. Called on a
 * worker thread.
 *
 * @param <M> the broker's message
 * @param <T> the transaction's handle, for databases a {@link java.sql.Connection}
 */
@FunctionalInterface
public interface TransactionalHandler<M, T> {

  /**
   * Handles messages inside the transaction, in the order given.
   *
   * @param transaction the transaction; must not be committed, rolled back, closed or kept
   * @param deliveries the messages that may run; at least one
   * @throws Exception if it failed; everything is rolled back
   */
  void handle(T transaction, List<Delivery<M>> deliveries) throws Exception;

  /**
   * A handler that takes one message at a time.
   *
   * @param handler the work for one message
   * @param <M> the broker's message
   * @param <T> the transaction's handle
   * @return a handler that calls it for each message
   */
  static <M, T> TransactionalHandler<M, T> forEach(Single<M, T> handler) {
    return (transaction, deliveries) -> {
      for (Delivery<M> delivery : deliveries) {
        LoggingContext.around(delivery, () -> {
          handler.handle(transaction, delivery);
          return true;
        });
      }
    };
  }

  /**
   * The work for one message.
   *
   * @param <M> the broker's message
   * @param <T> the transaction's handle
   */
  @FunctionalInterface
  interface Single<M, T> {

    /**
     * Handles a message inside the transaction.
     *
     * @param transaction the transaction; must not be committed, rolled back, closed or kept
     * @param delivery the message
     * @throws Exception if it failed; everything is rolled back
     */
    void handle(T transaction, Delivery<M> delivery) throws Exception;
  }
}
