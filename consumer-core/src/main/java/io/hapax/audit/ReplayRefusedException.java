package io.hapax.audit;

import io.hapax.errors.HapaxException;

/** A group was not moved, because that would have done harm. Nothing was changed. */
public final class ReplayRefusedException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * With the reason.
   *
   * @param message why not
   */
  public ReplayRefusedException(String message) {
    super(message);
  }

  /**
   * With the broker's own refusal.
   *
   * @param message why not
   * @param cause what the broker said
   */
  public ReplayRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
