package io.hapax.errors;

/** The superclass of the exceptions of Hapax. */
public abstract class HapaxException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with its message.
   *
   * @param message what happened, with ids and tokens, never with payloads or credentials
   */
  protected HapaxException(String message) {
    super(message);
  }

  /**
   * Makes an exception with its message and cause.
   *
   * @param message what happened, with ids and tokens, never with payloads or credentials
   * @param cause why
   */
  protected HapaxException(String message, Throwable cause) {
    super(message, cause);
  }
}
