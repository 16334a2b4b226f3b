package io.hapax.errors;

import io.hapax.InProcessRetry;

/**
 * Thrown by a handler that knows that its effect has <em>not</em> happened: the gateway refused,
 * the input was rejected before anything was sent. The next attempt is then not in doubt, and only
 * then may {@link InProcessRetry} call the handler again.
 */
public class NotAppliedException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * With a message alone.
   *
   * @param message why nothing happened
   */
  public NotAppliedException(String message) {
    super(message);
  }

  /**
   * With a cause.
   *
   * @param message why nothing happened
   * @param cause the error behind it
   */
  public NotAppliedException(String message, Throwable cause) {
    super(message, cause);
  }
}
