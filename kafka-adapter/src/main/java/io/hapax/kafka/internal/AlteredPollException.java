package io.hapax.kafka.internal;

import java.io.Serial;

/**
 * An interceptor of the consumer has moved, split or turned records, so that the offsets of the
 * poll do not show which records it had. Nothing of the poll may be committed or sought: the
 * consumer must end.
 */
public final class AlteredPollException extends IllegalStateException {

  @Serial
  private static final long serialVersionUID = 1L;

  public AlteredPollException(String message) {
    super(message);
  }
}
