package io.hapax.console.trial;

/** How an action ended in one lane. */
public enum TrialLevel {
  /** The result is not known yet. */
  PENDING,
  /** No order was booked more than once. */
  GOOD,
  /** Orders were booked more than once, and a counted event explains each of them. */
  EXPLAINED,
  /** Orders were booked more than once. */
  BAD
}
