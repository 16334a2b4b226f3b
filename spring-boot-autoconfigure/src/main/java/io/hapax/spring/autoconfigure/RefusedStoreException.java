package io.hapax.spring.autoconfigure;

import io.hapax.errors.HapaxException;

/** The store is refused at the start, because it cannot keep marks safely as it is set up. */
final class RefusedStoreException extends HapaxException {

  private static final long serialVersionUID = 1L;

  private final String wayOut;

  RefusedStoreException(String message, String wayOut) {
    super(message);
    this.wayOut = wayOut;
  }

  RefusedStoreException(String message, String wayOut, Throwable cause) {
    super(message, cause);
    this.wayOut = wayOut;
  }

  String wayOut() {
    return wayOut;
  }
}
