package io.hapax.demo;

/** What a ledger is judged by. */
enum Promise {
  /** Each order has one effect. */
  EXACTLY_ONCE,
  /** Each order has an effect, and each repeat joins a counted recovery after a kill. */
  REPEATS_EXPLAINED
}
