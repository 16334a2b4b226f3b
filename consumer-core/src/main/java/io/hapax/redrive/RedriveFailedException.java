package io.hapax.redrive;

import io.hapax.errors.HapaxException;

/**
 * A message was not published again, or nobody knows whether it was. Its mark is reopened: its dead
 * letter is to be redriven again.
 */
public final class RedriveFailedException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * With the cause.
   *
   * @param message what happened
   * @param cause why
   */
  public RedriveFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
