package io.hapax.mark;

/** The states of a mark. */
public enum MarkState {
  /** There is no mark: the message was never claimed, or its mark was purged or lost. */
  ABSENT,
  /** Claimed. While the lease lives nobody else may claim it. */
  PROCESSING,
  /** Given back, to be claimed again from a certain time on. */
  RETRY,
  /** The message has taken effect. Final within retention. */
  DONE,
  /** The message was dead-lettered. Final within retention, unless an operator reopens it. */
  DEAD
}
