package io.hapax.console.trial;

import java.util.List;

/**
 * A step of a story. The pages have a text for each kind.
 *
 * @param kind what happened
 * @param arguments the numbers and names of the text, in the order that the kind names
 */
public record TrialStep(Kind kind, List<Object> arguments) {

  /** What happened, with its arguments. The kinds from {@link #HOLDING} on are still to come. */
  public enum Kind {
    /** Number of orders. */
    PLACED,
    /** How often each order was published. */
    PUBLISHED,
    /** Consumer, number of its orders in flight. */
    KILLED,
    /** Consumer, number of its orders in flight. */
    FROZEN,
    /** Consumer, number of its orders in flight. */
    STORE_KILLED,
    /** No argument. */
    CHARGED_TOO_LATE,
    /** Seconds since the fault, consumers, number of orders. */
    TAKEN_OVER,
    /** Number of orders booked more than once, number of orders. */
    BOOKED,
    /** Number of orders booked more than once, number of orders. */
    BOOKED_EXPLAINED,
    /** Number of orders charged more than once, number of orders. */
    CHARGED,
    /** The reason. */
    FAILED,
    /** No argument. */
    HOLDING,
    /** Broker, seconds. */
    NOTICES,
    /** Seconds. */
    THAWS,
    /** Seconds. */
    STORE_STARTS,
    /** Seconds. */
    CLIENT_GIVES_UP,
    /** No argument. */
    REWINDING,
    /** No argument. */
    STARTING,
    /** Number of orders that wait. */
    WAITING,
    /** Number of messages that are not acknowledged. */
    UNACKNOWLEDGED,
    /** No argument. */
    CHECKING
  }

  /**
   * {@return a step}
   *
   * @param kind what happened
   * @param arguments the arguments
   */
  public static TrialStep of(Kind kind, Object... arguments) {
    return new TrialStep(kind, List.of(arguments));
  }
}
