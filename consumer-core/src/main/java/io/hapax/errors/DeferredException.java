package io.hapax.errors;

import io.hapax.RetrySettings;
import java.time.Duration;

/**
 * Thrown by a handler that knows that its effect has not happened and wants the message again after
 * a wait. For example, the order that it refers to is missing yet, or the downstream asked for a
 * pause.
 *
 * <p>A deferral uses no attempt and does not put the message in doubt. The message is not
 * acknowledged. If its order is kept, it holds back the messages behind it in its lane until it is
 * due. In transactional mode the transaction is rolled back first.
 *
 * <p>A message cannot be deferred for ever. If the wait would end later than
 * {@link RetrySettings#maxDeferral()} after the first claim that was deferred, the deferral counts
 * as a failed attempt without an effect. Backoff and dead-lettering follow as usual.
 *
 * <p>If the call had several messages, all of them are deferred, and each runs alone when it is
 * due. {@link PartlyHandledException} with this exception as its cause defers only the rest.
 *
 * <p>After a crash before the settlement, the message counts as one whose owner vanished.
 */
public class DeferredException extends NotAppliedException {

  private static final long serialVersionUID = 1L;

  /** The wait until the message is due. */
  private final Duration after;

  /**
   * Makes an exception with the wait.
   *
   * @param after how long to wait, from the settlement on, by the store's clock; not negative
   * @throws IllegalArgumentException if the wait is negative
   */
  public DeferredException(Duration after) {
    this(after, "the handler deferred the message by " + after);
  }

  /**
   * Makes an exception with the wait and its reason.
   *
   * @param after how long to wait, from the settlement on, by the store's clock; not negative
   * @param message why the handler defers the message
   * @throws IllegalArgumentException if the wait is negative
   */
  public DeferredException(Duration after, String message) {
    super(message);
    if (after.isNegative()) {
      throw new IllegalArgumentException("deferral is " + after + " but must not be negative");
    }
    this.after = after;
  }

  /** {@return how long to wait; not negative} */
  public Duration after() {
    return after;
  }
}
