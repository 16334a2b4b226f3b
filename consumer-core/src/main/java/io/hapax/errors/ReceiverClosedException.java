package io.hapax.errors;

import io.hapax.IdempotentReceiver;

/**
 * Thrown by an {@link IdempotentReceiver} that is closed, or that an error of its own code has
 * ended, which is the cause then. The messages of this call may not be acknowledged, and are
 * redelivered to another consumer. A closed receiver has taken none of them; one that has failed
 * may have run some, and their claims end with their leases.
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

  /**
   * Names the receiver and the error that has ended it.
   *
   * @param consumerName the consumer's name
   * @param error the error, for example an {@link OutOfMemoryError}
   */
  public ReceiverClosedException(String consumerName, Throwable error) {
    super(
        "receiver '" + consumerName + "' has failed and takes no more messages; close it, or end"
            + " the process",
        error);
  }
}
