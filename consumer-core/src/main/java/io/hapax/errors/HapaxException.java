package io.hapax.errors;

/** The root of everything that Hapax throws by itself. */
public abstract class HapaxException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * With a message alone.
   *
   * @param message what happened, with ids and tokens, never with payloads or credentials
   */
  protected HapaxException(String message) {
    super(message);
  }

  /**
   * With a cause.
   *
   * @param message what happened, with ids and tokens, never with payloads or credentials
   * @param cause why
   */
  protected HapaxException(String message, Throwable cause) {
    super(message, cause);
  }
}
