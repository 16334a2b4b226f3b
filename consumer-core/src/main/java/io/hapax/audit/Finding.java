package io.hapax.audit;

/**
 * What is found of a message id, or of a message. The first six are the states that an id may be
 * found in; the last two are messages that own no mark.
 */
public enum Finding {
  /** The message has taken effect. It would not run again. */
  DONE(0),
  /**
   * Its handler runs, or its owner has vanished a moment ago: the lease is alive. It would not run
   * now; whether it will, nobody knows before the lease is over or the mark is settled.
   */
  IN_FLIGHT(1),
  /** It was claimed, and the lease is over. It would run again. */
  STALE(2),
  /** It was given back, by a failed attempt or unstarted, and waits. It would run again. */
  RETRY(3),
  /** It was dead-lettered. It would not run again. */
  DEAD(4),
  /** There is no mark: it never ran, or its mark was forgotten. It would run. */
  UNKNOWN(5),
  /**
   * A message whose payload is another one than that which its id stands for. It never runs. The
   * payload that an id stands for is that of its mark, and where the mark knows none, or there is
   * no mark, that of the first message that was met.
   */
  CONFLICT(6),
  /**
   * A message without a usable id, or one that cannot be read at all. It never runs.
   *
   * @see io.hapax.policy.MissingIdPolicy
   */
  MISSING_ID(7);

  /** How many there are. */
  static final int COUNT = values().length;

  private static final Finding[] BY_NUMBER = values();

  private final int number;

  Finding(int number) {
    this.number = number;
  }

  /** What it is noted as, in three bits; 0 to 5 for the states of an id. */
  int number() {
    return number;
  }

  static Finding of(int number) {
    return BY_NUMBER[number];
  }

  /**
   * Whether an id in this state is handed to a handler when its message comes again.
   *
   * @return true for {@link #STALE}, {@link #RETRY} and {@link #UNKNOWN}
   */
  public boolean wouldRun() {
    return this == STALE || this == RETRY || this == UNKNOWN;
  }
}
