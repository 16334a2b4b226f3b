package io.hapax.servers;

/**
 * A local server could not be started, reached or ended. The message holds the end of the server's
 * log where it helps.
 */
public final class LocalServerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LocalServerException(String message) {
    super(message);
  }

  LocalServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
