package io.hapax.operations.redrive;

import io.hapax.errors.HapaxException;

/**
 * A message was not published again, or it is unknown whether it was. Its mark is reopened: redrive
 * its dead-letter record again.
 */
public final class RedriveFailedException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with its cause.
   *
   * @param message what happened
   * @param cause why
   */
  public RedriveFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
