package io.hapax.errors;

import io.hapax.DeadLetter;

/**
 * Thrown by a handler that knows that its effect has not happened and that no further attempt can
 * succeed: the order names no item, or the account is closed. The message is dead-lettered at once,
 * as {@link DeadLetter.Kind#NOT_RETRYABLE}.
 *
 * <p>If the call had several messages, it is unknown which one was rejected. They are handled one
 * by one then, and the one that is rejected alone is dead-lettered.
 */
public class RejectedMessageException extends NotAppliedException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with its message.
   *
   * @param message why it can never be handled
   */
  public RejectedMessageException(String message) {
    super(message);
  }

  /**
   * Makes an exception with its message and cause.
   *
   * @param message why it can never be handled
   * @param cause the error behind it
   */
  public RejectedMessageException(String message, Throwable cause) {
    super(message, cause);
  }
}
