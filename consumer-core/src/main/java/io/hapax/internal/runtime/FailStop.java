package io.hapax.internal.runtime;

import io.hapax.errors.ReceiverClosedException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a receiver after an error of its own code, for example exhausted memory: what that code has
 * left undone is unknown. From then on the receiver behaves as after the death of its process. It
 * claims, renews and settles nothing, calls no handler and refuses calls. Other consumers take over
 * its messages when their leases have expired. Errors of the user's code do not end it.
 */
public final class FailStop {

  private static final Logger LOG = LoggerFactory.getLogger(FailStop.class);

  private final String consumer;
  private volatile @Nullable Throwable cause;

  public FailStop(String consumer) {
    this.consumer = consumer;
  }

  /**
   * Throws an error that comes from the process, such as exhausted memory, and not from the code or
   * the message that met it. A stack overflow may come from a message that is nested too deeply.
   */
  public static void throwIfOfTheProcess(Throwable thrown) {
    if (thrown instanceof VirtualMachineError error && !(error instanceof StackOverflowError)) {
      throw error;
    }
  }

  /** Ends the receiver. Does not throw: memory may be used up. */
  void stop(Throwable error) {
    if (cause == null) {
      cause = error;
      try {
        LOG.error("Receiver '{}' has failed and must be replaced", consumer, error);
      } catch (Throwable unlogged) { // health shows it, too
        return;
      }
    }
  }

  public boolean stopped() {
    return cause != null;
  }

  public Optional<Throwable> cause() {
    return Optional.ofNullable(cause);
  }

  public void requireRunning() {
    Throwable error = cause;
    if (error != null) {
      throw new ReceiverClosedException(consumer, error);
    }
  }
}
