package io.hapax.store;

import io.hapax.errors.HapaxException;

/**
 * The handler left its transaction in a state that cannot be committed: it swallowed an SQL error,
 * called commit, rollback or close itself, or was slower than the database's limit for a
 * transaction. The transaction was rolled back. The handler failed, not the store.
 */
public final class BrokenTransactionException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with its message.
   *
   * @param message what the handler did and what it should do instead
   */
  public BrokenTransactionException(String message) {
    super(message);
  }

  /**
   * Makes an exception with its message and cause.
   *
   * @param message what the handler did and what it should do instead
   * @param cause the store's own error
   */
  public BrokenTransactionException(String message, Throwable cause) {
    super(message, cause);
  }
}
