package io.hapax.simulation;

/**
 * What must not happen and did.
 *
 * @param rule which rule is broken
 * @param detail for people
 */
record Violation(Rule rule, String detail) {

  /** What must hold in every world. */
  enum Rule {
    /** Each message takes effect, or lies among the dead letters. */
    NOTHING_IS_LOST,
    /** What is acknowledged was settled before as DONE or DEAD, or went on without the store. */
    NO_ACK_BEFORE_ITS_TIME,
    /** A second effect is announced by a counted event before it happens, or the first was. */
    REPEATS_ARE_EXPLAINED,
    /** In transactional mode a message has taken effect, once, exactly if it is DONE. */
    EFFECT_AND_MARK_ARE_ONE,
    /** A message of a lane starts after those before it are through. */
    ORDER_IS_KEPT,
    /** When faults have stopped, everything comes to rest. */
    EVERYTHING_COMES_TO_REST,
    /** At rest no process holds a claim. */
    NO_CLAIM_IS_LEFT,
    /** No two handlers of one id run at once while the lease of one lives, nor in one process. */
    ONE_HANDLER_AT_A_TIME,
    /**
     * A handler starts under a lease of its own that lives by the clock of the store, or without
     * one if it may, because calls have failed, and after that was told.
     */
    NO_START_WITHOUT_LEASE,
    /** No process takes over from an owner that works. */
    NO_TAKEOVER_FROM_THE_HEALTHY,
    /** No attempt is made past the last. */
    ATTEMPTS_ARE_BOUNDED,
    /** The engine never meets what nobody foresaw. */
    NOTHING_BREAKS
  }
}
