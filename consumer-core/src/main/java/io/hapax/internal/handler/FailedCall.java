package io.hapax.internal.handler;

import io.hapax.errors.NotAppliedException;
import io.hapax.errors.RolledBackException;

/**
 * Describes a handler call that failed.
 *
 * @param error the exception or error
 * @param inDoubt whether the call may have taken effect all the same
 * @param shared whether the call had several messages, any of which may have caused the error
 */
public record FailedCall(Throwable error, boolean inDoubt, boolean shared) {

  /** Creates a failed call in leased mode; it is in doubt unless the error excludes an effect. */
  public static FailedCall leased(Throwable error, boolean shared) {
    if (error instanceof RolledBackException && error.getCause() != null) {
      return new FailedCall(error.getCause(), false, shared);
    }
    return new FailedCall(error, !(error instanceof NotAppliedException), shared);
  }

  /** Creates a failed call for one message in transactional mode. */
  public static FailedCall rolledBack(Throwable error) {
    return new FailedCall(error, false, false);
  }
}
