package io.hapax.spring.listener;

import io.hapax.errors.HapaxException;

/** A listener is refused at the start, because it cannot work safely as it is set up. */
public final class RefusedListenerException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /** What to change. */
  private final String wayOut;

  /**
   * Makes the refusal of a listener.
   *
   * @param listener the listener, as its developer knows it: class and method
   * @param setting the setting that is refused, with its value
   * @param rule why it is refused
   * @param wayOut what to change
   */
  public RefusedListenerException(String listener, String setting, String rule, String wayOut) {
    super("The listener " + listener + " cannot be made idempotent: " + setting + ". " + rule);
    this.wayOut = wayOut;
  }

  /** {@return what to change: a sentence for the developer} */
  public String wayOut() {
    return wayOut;
  }
}
