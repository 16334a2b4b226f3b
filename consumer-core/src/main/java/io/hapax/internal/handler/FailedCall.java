package io.hapax.internal.handler;

import io.hapax.errors.NotAppliedException;

/**
 * What a call of the handler failed of.
 *
 * @param error what it threw
 * @param inDoubt whether it may have taken effect all the same
 * @param shared whether the call had more than one message, so that nobody knows which it was
 */
public record FailedCall(Throwable error, boolean inDoubt, boolean shared) {

  /** A call in leased mode: it may have taken effect unless it said that it has not. */
  public static FailedCall leased(Throwable error, boolean shared) {
    return new FailedCall(error, !(error instanceof NotAppliedException), shared);
  }

  /** A call for one message in transactional mode. */
  public static FailedCall rolledBack(Throwable error) {
    return new FailedCall(error, false, false);
  }
}
