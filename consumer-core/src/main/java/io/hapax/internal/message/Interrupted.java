package io.hapax.internal.message;

import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/** Signals that the user's code was interrupted while it read a message. */
public final class Interrupted extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private static final int MAX_CAUSES = 20;

  Interrupted(Throwable cause) {
    super(cause);
  }

  /** Returns whether an interrupt caused the exception, by the thread flag and the causes. */
  public static boolean isBehind(Throwable thrown) {
    if (Thread.currentThread().isInterrupted()) {
      return true;
    }
    @Nullable Throwable cause = thrown;
    for (int depth = 0; depth < MAX_CAUSES && cause != null; depth++) {
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
