package io.hapax.internal.handler;

/**
 * Carries what a handler threw out of a store's transaction, so that it is not mistaken for the
 * store's trouble.
 */
public final class HandlerFailure extends Exception {

  private static final long serialVersionUID = 1L;

  HandlerFailure(Throwable cause) {
    super("a handler failed", cause); // not super(cause), which asks the cause for its text
  }

  public Throwable reason() {
    Throwable cause = getCause();
    return cause == null ? this : cause;
  }
}
