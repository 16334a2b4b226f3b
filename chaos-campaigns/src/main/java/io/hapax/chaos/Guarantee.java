package io.hapax.chaos;

/** The guarantee that a ledger is checked against. */
enum Guarantee {
  /** Each order has one effect. */
  EXACTLY_ONCE,
  /** Each order has an effect, and each repeat belongs to a counted recovery after a kill. */
  REPEATS_EXPLAINED
}
