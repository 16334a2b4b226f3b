package io.hapax.internal.handler;

/**
 * Carries an exception of a handler through a store's transaction, so that it is not mistaken for
 * an exception of the store.
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
