package io.hapax.errors;

import io.hapax.BatchHandler;

/**
 * Thrown by a {@link BatchHandler} that has handled the first of its messages and not the rest. The
 * first are marked DONE; the rest has failed with the cause of this exception. In transactional
 * mode the effects of all are rolled back, so it is a failure of all messages there.
 */
public final class PartlyHandledException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /** How many messages were handled, from the first on. */
  private final int handled;

  /**
   * Makes an exception with the cause of the failure.
   *
   * @param handled the number of messages, from the first on, that were handled; not negative. If
   *     it is the number of all messages, none has failed
   * @param cause why the rest failed; a {@link NotAppliedException} if none of the rest has taken
   *     effect, a {@link DeferredException} if the rest is to be delivered later
   */
  public PartlyHandledException(int handled, Throwable cause) {
    super("the first " + handled + " messages were handled and the rest was not", cause);
    if (handled < 0) {
      throw new IllegalArgumentException("handled is " + handled + " but must not be negative");
    }
    this.handled = handled;
  }

  /** {@return how many messages were handled, from the first on} */
  public int handled() {
    return handled;
  }
}
