package io.hapax.store;

/**
 * The connection broke during the commit, so the outcome of the transaction is unknown. Only the
 * same verb with the same nonces, run again, finds it out. An absent mark proves nothing, because
 * the commit may still be in progress.
 */
public final class CommitUnknownException extends StoreException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with its message and cause.
   *
   * @param message what happened
   * @param cause the store's own error
   */
  public CommitUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
