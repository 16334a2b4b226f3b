package io.hapax.mark;

/** The states of a mark. */
public enum MarkState {
  /** There is no mark: the message was never claimed, or its mark was purged or lost. */
  ABSENT,
  /** Claimed. Until the lease expires no other owner can claim it. */
  PROCESSING,
  /** Given back; it can be claimed again when it is due. */
  RETRY,
  /** The message has taken effect. Final within retention. */
  DONE,
  /** The message was dead-lettered. Final within retention, unless an operator reopens it. */
  DEAD
}
