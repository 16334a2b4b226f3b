package io.hapax.demo;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import java.io.IOException;

/**
 * Where a consumer process gets its orders from, through the broker's own client. It reports when
 * it is ready and what the broker hands out, and ends when the parent says so.
 *
 * @param <M> the client's type of a message
 */
interface OrderSource<M> extends AutoCloseable {

  /**
   * Starts to build a receiver that knows orders by their id, compares their bytes, and puts what
   * fails for good aside.
   */
  ReceiverBuilder<M> receiver(String name);

  /** Reads a message. */
  Order order(M message);

  /**
   * Hands messages to a receiver.
   *
   * @throws IllegalStateException if the consumer goes down by itself
   */
  void feed(IdempotentReceiver<M> receiver, ParentWatch parent)
      throws IOException, InterruptedException;

  /** Hands messages to a plain handler, in the way that everybody writes first. */
  void feed(NaiveHandler handler, ParentWatch parent) throws Exception;

  /** Gives its connections back; to be called when the receiver is closed. */
  @Override
  void close();
}
