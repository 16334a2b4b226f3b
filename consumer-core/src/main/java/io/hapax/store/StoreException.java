package io.hapax.store;

import io.hapax.errors.HapaxException;

/**
 * A verb failed, or its outcome is unknown. No message may be acknowledged because of it. Every
 * verb may be sent again with the same nonces.
 */
public class StoreException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with its message.
   *
   * @param message what happened, without credentials
   */
  public StoreException(String message) {
    super(message);
  }

  /**
   * Makes an exception with its message and cause.
   *
   * @param message what happened, without credentials
   * @param cause why
   */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
