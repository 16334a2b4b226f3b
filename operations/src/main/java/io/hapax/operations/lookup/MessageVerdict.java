package io.hapax.operations.lookup;

/** What happened to a message. */
public enum MessageVerdict {
  /** It took effect. */
  DONE(false),
  /** It took effect, and a second payload with its id lies in the dead letters. */
  CONFLICT(true),
  /** An owner holds the lease of its mark. */
  RUNNING(false),
  /** It waits for its next attempt. */
  RETRY(false),
  /** Its next attempt is due, and its message was not delivered. */
  OVERDUE(true),
  /** The lease of its mark has expired, and its message was not delivered. */
  STALE(true),
  /** It is unknown whether it took effect. */
  IN_DOUBT(true),
  /** It was dead-lettered. */
  DEAD(true),
  /** It was dead-lettered and may have taken effect. */
  DEAD_IN_DOUBT(true),
  /** It is dead, and whether it has a dead-letter record is not known. */
  DEAD_RECORD_UNKNOWN(true),
  /** It is dead, and it has no dead-letter record. */
  DEAD_WITHOUT_RECORD(true),
  /** An operator has reopened its mark, and nothing was published. */
  REOPENED(true),
  /** An operator has published it again, and no consumer has claimed it since. */
  PUBLISHED_AGAIN(false),
  /** There is a dead-letter record, and no mark. */
  RECORD_WITHOUT_MARK(true),
  /** Only the generation before has a mark. */
  EARLIER_GENERATION(false),
  /** There is no mark, and the topic was not searched. */
  NO_MARK(true),
  /** There is no mark, and no message in the topic. */
  NOT_IN_TOPIC(true),
  /** There is no mark, and the message is in the topic; the offset of the group is unknown. */
  IN_TOPIC(true),
  /** There is no mark, and the message lies behind the offset of the group. */
  WAITS_IN_TOPIC(false),
  /** There is no mark, and the group has acknowledged the message. */
  ACKNOWLEDGED(true);

  private final boolean open;

  MessageVerdict(boolean open) {
    this.open = open;
  }

  /** {@return whether an operator has something to decide, to repair or to find out} */
  public boolean isOpen() {
    return open;
  }
}
