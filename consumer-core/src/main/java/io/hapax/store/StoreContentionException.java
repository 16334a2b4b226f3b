package io.hapax.store;

/**
 * The store rolled the transaction back because it met others (deadlock, serialization failure).
 * Nothing of it stands; the same verb, best for a smaller batch and after a random pause, may well
 * succeed.
 */
public final class StoreContentionException extends StoreException {

  private static final long serialVersionUID = 1L;

  /**
   * With a cause.
   *
   * @param message what happened
   * @param cause the store's own error
   */
  public StoreContentionException(String message, Throwable cause) {
    super(message, cause);
  }
}
