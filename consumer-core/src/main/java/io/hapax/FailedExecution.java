package io.hapax;

import io.hapax.errors.NotAppliedException;
import io.hapax.internal.runtime.Descriptions;

/**
 * Reports the failure of a call to the engine. The engine retries it whatever its cause is, because
 * the caller decides about retries, and logs it in one line, because the caller gets the exception.
 */
final class FailedExecution extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private FailedExecution(Throwable failure) {
    super(Descriptions.of(failure), failure, false, false);
  }

  static RuntimeException of(Throwable failure) {
    return failure instanceof NotAppliedException
        ? new NotApplied(failure)
        : new FailedExecution(failure);
  }

  /** The call failed before its effect. */
  private static final class NotApplied extends NotAppliedException {

    private static final long serialVersionUID = 1L;

    NotApplied(Throwable failure) {
      super(Descriptions.of(failure), failure);
    }

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }
}
