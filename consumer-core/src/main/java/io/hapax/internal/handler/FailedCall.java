package io.hapax.internal.handler;

import io.hapax.errors.NotAppliedException;
import io.hapax.errors.RolledBackException;
import io.hapax.store.BrokenTransactionException;

/**
 * A handler call that failed. It is in doubt if it may have taken effect all the same. It is shared
 * if it had several messages, any of which may have caused the error.
 */
public record FailedCall(Throwable error, boolean inDoubt, boolean shared) {

  /** Creates a failed call in leased mode; it is in doubt unless the error excludes an effect. */
  public static FailedCall leased(Throwable error, boolean shared) {
    if (error instanceof RolledBackException && error.getCause() != null) {
      return new FailedCall(error.getCause(), false, shared);
    }
    return new FailedCall(error, !(error instanceof NotAppliedException), shared);
  }

  /**
   * Creates a failed call for one message in transactional mode. It is in doubt only if the handler
   * had ended the transaction before, so that the rollback came too late.
   */
  public static FailedCall rolledBack(Throwable error) {
    boolean committed = error instanceof BrokenTransactionException broken && broken.inDoubt();
    return new FailedCall(error, committed, false);
  }
}
