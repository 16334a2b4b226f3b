package io.hapax.operations.audit;

/**
 * What an audit finds. The first six are states of a message id; the last two are messages that own
 * no mark.
 */
public enum Finding {
  /** The message has taken effect. It would not run again. */
  DONE,
  /**
   * Its lease is alive: its handler runs, or its owner has vanished a moment ago. It would not run
   * now. Whether it will run is unknown until the lease expires or the mark is settled.
   */
  IN_FLIGHT,
  /** It was claimed, and the lease has expired. It would run again. */
  STALE,
  /**
   * It waits to be claimed again: an attempt failed, was deferred or never started. It would run.
   */
  RETRY,
  /** It was dead-lettered. It would not run again. */
  DEAD,
  /** There is no mark: it never ran, or its mark was forgotten. It would run. */
  UNKNOWN,
  /**
   * A message whose payload differs from the one of its id. It never runs. The payload of an id is
   * the one in its mark; if the mark is missing or has none, it is the one of the first message
   * that was read.
   */
  CONFLICT,
  /**
   * A message without a usable id, or one that cannot be read. It never runs.
   *
   * @see io.hapax.policy.MissingIdPolicy
   */
  MISSING_ID;

  /** {@return whether the message of an id in this state runs when it is delivered again} */
  public boolean wouldRun() {
    return this == STALE || this == RETRY || this == UNKNOWN;
  }
}
