package io.hapax.operations.audit;

/**
 * What an audit finds. The first six are states of a message id; the last two are messages that own
 * no mark.
 */
public enum Finding {
  /** The message has taken effect. It would not run again. */
  DONE(0),
  /**
   * Its lease is alive: its handler runs, or its owner has vanished a moment ago. It would not run
   * now. Whether it will run is unknown until the lease expires or the mark is settled.
   */
  IN_FLIGHT(1),
  /** It was claimed, and the lease has expired. It would run again. */
  STALE(2),
  /**
   * It waits to be claimed again: an attempt failed, was deferred or never started. It would run.
   */
  RETRY(3),
  /** It was dead-lettered. It would not run again. */
  DEAD(4),
  /** There is no mark: it never ran, or its mark was forgotten. It would run. */
  UNKNOWN(5),
  /**
   * A message whose payload differs from the one of its id. It never runs. The payload of an id is
   * the one in its mark; if the mark is missing or has none, it is the one of the first message
   * that was read.
   */
  CONFLICT(6),
  /**
   * A message without a usable id, or one that cannot be read. It never runs.
   *
   * @see io.hapax.policy.MissingIdPolicy
   */
  MISSING_ID(7);

  /** The number of findings. */
  static final int COUNT = values().length;

  private static final Finding[] BY_NUMBER = values();

  private final int number;

  Finding(int number) {
    this.number = number;
  }

  /** Returns its number, in three bits; 0 to 5 for the states of an id. */
  int number() {
    return number;
  }

  static Finding of(int number) {
    return BY_NUMBER[number];
  }

  /**
   * Returns whether the message of an id in this state runs when it is delivered again.
   *
   * @return true for {@link #STALE}, {@link #RETRY} and {@link #UNKNOWN}
   */
  public boolean wouldRun() {
    return this == STALE || this == RETRY || this == UNKNOWN;
  }
}
