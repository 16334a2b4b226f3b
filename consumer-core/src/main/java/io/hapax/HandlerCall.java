package io.hapax;

import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A completed call of a handler.
 *
 * @param keys the messages of the call; at least one
 * @param took the time from the call to its return; not negative
 * @param failure the exception that it threw; empty if it returned. In transactional mode the
 *     commit follows after its return
 */
public record HandlerCall(List<MessageKey> keys, Duration took, Optional<Throwable> failure) {

  /**
   * Checks the rules above.
   *
   * @param keys at least one
   * @param took not negative
   * @param failure any
   */
  public HandlerCall {
    keys = List.copyOf(keys);
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("keys is empty but must name a message");
    }
    if (took.isNegative()) {
      throw new IllegalArgumentException("took is " + took + " but must not be negative");
    }
  }
}
