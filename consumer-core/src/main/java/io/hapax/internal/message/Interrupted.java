package io.hapax.internal.message;

import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/** The user's code was interrupted while it read a message, which says nothing of the message. */
final class Interrupted extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private static final int DEEPEST = 20;

  Interrupted(Throwable cause) {
    super(cause);
  }

  /** Whoever is interrupted leaves the flag, or says so in what he throws. */
  static boolean isBehind(Throwable thrown) {
    if (Thread.currentThread().isInterrupted()) {
      return true;
    }
    @Nullable Throwable cause = thrown;
    for (int depth = 0; depth < DEEPEST && cause != null; depth++) {
      if (cause instanceof InterruptedException || cause instanceof ClosedByInterruptException) {
        return true;
      }
      cause = causeOf(cause);
    }
    return false;
  }

  private static @Nullable Throwable causeOf(Throwable thrown) {
    try {
      return thrown.getCause();
    } catch (RuntimeException | Error e) { // an exception of the user's own class
      return null;
    }
  }
}
