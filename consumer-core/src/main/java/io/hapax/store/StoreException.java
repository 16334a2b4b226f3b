package io.hapax.store;

import io.hapax.errors.HapaxException;

/**
 * The store did not do what it was asked, or nobody knows whether it did. Nothing may be
 * acknowledged on the strength of it. Every verb may be sent again with the same nonces.
 */
public class StoreException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * With a message alone.
   *
   * @param message what happened, without credentials
   */
  public StoreException(String message) {
    super(message);
  }

  /**
   * With a cause.
   *
   * @param message what happened, without credentials
   * @param cause why
   */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
