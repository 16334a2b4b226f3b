package io.hapax.store;

/**
 * The connection broke while the transaction was being committed: it may stand or not. The only way
 * to know is to run the very same verb again with the same nonces; an absent mark proves nothing,
 * because the commit may still be under way.
 */
public final class CommitUnknownException extends StoreException {

  private static final long serialVersionUID = 1L;

  /**
   * With a cause.
   *
   * @param message what happened
   * @param cause the store's own error
   */
  public CommitUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
