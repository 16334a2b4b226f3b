package io.hapax.internal;

import io.hapax.NotAppliedException;

/**
 * What a call of the handler failed of.
 *
 * @param error what it threw
 * @param inDoubt whether it may have taken effect all the same
 * @param shared whether the call had more than one message, so that nobody knows which it was
 */
record FailedCall(Throwable error, boolean inDoubt, boolean shared) {

  /** A call in leased mode: it may have taken effect unless it said that it has not. */
  static FailedCall leased(Throwable error, boolean shared) {
    return new FailedCall(error, !(error instanceof NotAppliedException), shared);
  }

  /** A call for one message in transactional mode. */
  static FailedCall rolledBack(Throwable error) {
    return new FailedCall(error, false, false);
  }
}
