package io.hapax.rocketmq;

import io.hapax.errors.HapaxException;

/** A wrapped listener did not answer success. Whether the effect has happened is in doubt. */
final class ListenerFailedException extends HapaxException {

  private static final long serialVersionUID = 1L;

  ListenerFailedException(String message) {
    super(message);
  }

  /** None: it would name nothing of the user's, and fill the log with lines. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
