package io.hapax.store;

import io.hapax.errors.HapaxException;

/**
 * The handler left its transaction in a state that cannot be committed: it swallowed an SQL error,
 * or tried to commit, roll back or close by itself. The transaction was rolled back; this is the
 * handler's failure, not the store's.
 */
public final class BrokenTransactionException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * With a message alone.
   *
   * @param message what the handler did and what it should do instead
   */
  public BrokenTransactionException(String message) {
    super(message);
  }

  /**
   * With a cause.
   *
   * @param message what the handler did and what it should do instead
   * @param cause the store's own error
   */
  public BrokenTransactionException(String message, Throwable cause) {
    super(message, cause);
  }
}
