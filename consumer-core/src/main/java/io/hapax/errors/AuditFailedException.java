package io.hapax.errors;

/**
 * An audit, a replay or a redrive could not be finished: the broker did not answer, or its answer
 * was unexpected.
 */
public class AuditFailedException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with its message.
   *
   * @param message what happened
   */
  public AuditFailedException(String message) {
    super(message);
  }

  /**
   * Makes an exception with its message and cause.
   *
   * @param message what happened
   * @param cause why
   */
  public AuditFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
