package io.hapax.errors;

import io.hapax.BatchHandler;

/**
 * Thrown by a {@link BatchHandler} that has handled the first of its messages and not the rest: the
 * first are marked DONE, the rest has failed with the cause of this. A handler in a transaction
 * gets nothing out of it: there the effects of the first are rolled back with the others, so it is
 * an ordinary failure of all.
 */
public final class PartlyHandledException extends HapaxException {

  private static final long serialVersionUID = 1L;

  /** How many messages were handled, from the first on. */
  private final int handled;

  /**
   * With what the rest failed of.
   *
   * @param handled how many messages, from the first on, were handled; not negative. If it is all
   *     of them, nothing has failed
   * @param cause why the rest failed; a {@link NotAppliedException} if nothing of it has taken
   *     effect
   */
  public PartlyHandledException(int handled, Throwable cause) {
    super("the first " + handled + " messages were handled and the rest was not", cause);
    if (handled < 0) {
      throw new IllegalArgumentException("handled is " + handled + " but must not be negative");
    }
    this.handled = handled;
  }

  /**
   * How many messages were handled.
   *
   * @return their number, from the first on
   */
  public int handled() {
    return handled;
  }
}
