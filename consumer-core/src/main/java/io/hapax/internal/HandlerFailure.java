package io.hapax.internal;

/**
 * Carries what a handler threw out of a store's transaction, so that it is not mistaken for the
 * store's trouble.
 */
final class HandlerFailure extends Exception {

  private static final long serialVersionUID = 1L;

  /** The handler's call. */
  @FunctionalInterface
  interface Call {
    void run() throws Exception;
  }

  private HandlerFailure(Throwable cause) {
    super(cause);
  }

  static void guard(Call call) throws HandlerFailure {
    try {
      call.run();
    } catch (Throwable failure) {
      if (failure instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new HandlerFailure(failure);
    }
  }

  Throwable reason() {
    Throwable cause = getCause();
    return cause == null ? this : cause;
  }
}
