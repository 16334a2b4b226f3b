package io.hapax.store;

/**
 * The store rolled the transaction back because of other transactions (deadlock, serialization
 * failure). Nothing was written. The same verb may succeed, best with a smaller batch and after a
 * random pause.
 */
public final class StoreContentionException extends StoreException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with its message and cause.
   *
   * @param message what happened
   * @param cause the store's own error
   */
  public StoreContentionException(String message, Throwable cause) {
    super(message, cause);
  }
}
