package io.hapax.errors;

import io.hapax.DeadLetter;

/**
 * Thrown by a handler that knows that its effect has not happened and that no further attempt can
 * succeed: the order names no item, the account is closed. The message goes straight to the dead
 * letters as {@link DeadLetter.Kind#NOT_RETRYABLE}.
 *
 * <p>Out of a call with many messages it does not say which of them it means: they are then handled
 * one by one, and the one that is rejected alone is dead-lettered.
 */
public class RejectedMessageException extends NotAppliedException {

  private static final long serialVersionUID = 1L;

  /**
   * With a message alone.
   *
   * @param message why it can never be handled
   */
  public RejectedMessageException(String message) {
    super(message);
  }

  /**
   * With a cause.
   *
   * @param message why it can never be handled
   * @param cause the error behind it
   */
  public RejectedMessageException(String message, Throwable cause) {
    super(message, cause);
  }
}
