package io.hapax;

import java.util.List;

/**
 * Handles messages in transactional mode: its writes through the given transaction are committed
 * together with the messages' DONE marks, or not at all.
 *
 * <p>It may be called more than once for one commit: after a batch was rolled back, each message is
 * tried alone. Effects outside the transaction are therefore not protected. The messages of one
 * call may be of several lanes (for Kafka: partitions); those of one lane are in its order. Called
 * on a worker thread, or on the thread that calls {@link IdempotentReceiver#receiveOnCallerThread}.
 *
 * @param <M> the broker's message
 * @param <T> the transaction's handle, for databases a {@link java.sql.Connection}
 */
@FunctionalInterface
public interface TransactionalHandler<M, T> {

  /**
   * Handles messages inside the transaction, in the given order.
   *
   * @param transaction the transaction; must not be committed, rolled back, closed or kept
   * @param deliveries the messages that may run; at least one
   * @throws Exception if it failed; everything is rolled back
   */
  void handle(T transaction, List<Delivery<M>> deliveries) throws Exception;

  /**
   * {@return a handler that calls another one for each message}
   *
   * @param handler the handler of one message
   * @param <M> the broker's message
   * @param <T> the transaction's handle
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
   * Handles one message in transactional mode.
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
