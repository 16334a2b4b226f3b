package io.hapax.chaos;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.demo.Order;
import java.io.IOException;

/**
 * The source of orders of a consumer process, with the broker's own client. It reports when it is
 * ready and what the broker delivers, and ends when the parent asks for it.
 *
 * @param <M> the client's type of a message
 */
interface OrderSource<M> extends AutoCloseable {

  /**
   * Returns a builder of a receiver that knows orders by their id, compares their bytes, and
   * publishes dead-letter records.
   */
  ReceiverBuilder<M> receiver(String name);

  /** Reads a message. */
  Order order(M message);

  /**
   * Submits messages to a receiver.
   *
   * @throws IllegalStateException if the consumer ends by itself
   */
  void feed(IdempotentReceiver<M> receiver, ParentWatch parent)
      throws IOException, InterruptedException;

  /** Passes messages to a plain handler, in the most common way. */
  void feed(NaiveHandler handler, ParentWatch parent) throws Exception;

  /** Closes the connections. Call it after the receiver is closed. */
  @Override
  void close();
}
