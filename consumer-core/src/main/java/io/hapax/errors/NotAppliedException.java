package io.hapax.errors;

/**
 * Thrown by a handler that knows that its effect has <em>not</em> happened: the gateway refused, or
 * the input was rejected before anything was sent. The next attempt is then not in doubt.
 */
public class NotAppliedException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with its message.
   *
   * @param message why nothing happened
   */
  public NotAppliedException(String message) {
    super(message);
  }

  /**
   * Makes an exception with its message and cause.
   *
   * @param message why nothing happened
   * @param cause the error behind it
   */
  public NotAppliedException(String message, Throwable cause) {
    super(message, cause);
  }
}
