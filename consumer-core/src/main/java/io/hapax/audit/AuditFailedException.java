package io.hapax.audit;

import io.hapax.errors.HapaxException;

/**
 * An audit, a replay or a redrive could not be finished: the broker did not answer, or not as it
 * should.
 */
public final class AuditFailedException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * With the reason.
   *
   * @param message what happened
   */
  public AuditFailedException(String message) {
    super(message);
  }

  /**
   * With the cause.
   *
   * @param message what happened
   * @param cause why
   */
  public AuditFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
