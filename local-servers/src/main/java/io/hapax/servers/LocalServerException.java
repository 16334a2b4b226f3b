package io.hapax.servers;

/**
 * Reports that a local server could not be started, reached or ended. The message contains the end
 * of the server's log where it helps.
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
