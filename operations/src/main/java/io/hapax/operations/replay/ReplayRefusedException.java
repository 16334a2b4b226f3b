package io.hapax.operations.replay;

import io.hapax.errors.HapaxException;

/** A group was not moved because the move would be unsafe. Nothing was changed. */
public final class ReplayRefusedException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with its message.
   *
   * @param message why not
   */
  public ReplayRefusedException(String message) {
    super(message);
  }
}
