package io.hapax.errors;

import java.util.Objects;

/**
 * Thrown by a handler that rolled back all its effects after an error. Hapax treats the message as
 * if the handler had thrown the cause, except that no effect has happened: it is not in doubt.
 */
public final class RolledBackException extends NotAppliedException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with its cause.
   *
   * @param cause the error behind the rollback; decides how the message is tried again
   */
  public RolledBackException(Throwable cause) {
    super("the effects were rolled back", Objects.requireNonNull(cause, "cause"));
  }
}
