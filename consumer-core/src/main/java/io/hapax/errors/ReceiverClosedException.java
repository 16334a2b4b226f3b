package io.hapax.errors;

import io.hapax.IdempotentReceiver;

/**
 * Thrown by an {@link IdempotentReceiver} that is closed. It has taken none of the messages of this
 * call: they may not be acknowledged, and are redelivered to another consumer.
 */
public final class ReceiverClosedException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * Names the receiver.
   *
   * @param consumerName the consumer's name
   */
  public ReceiverClosedException(String consumerName) {
    super("receiver '" + consumerName + "' is closed");
  }
}
