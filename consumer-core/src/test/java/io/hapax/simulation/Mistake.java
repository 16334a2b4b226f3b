package io.hapax.simulation;

/** What somebody may get wrong; a world with one of them must be found out. */
enum Mistake {
  /** The store settles by the key alone, so that a late owner overwrites its successor. */
  STORE_SETTLES_WITHOUT_TOKEN,
  /** The store believes the clock of the process that asks. */
  STORE_BELIEVES_THE_CALLERS_CLOCK,
  /** The store gives a claim back by deleting its mark. */
  STORE_RELEASES_BY_DELETE,
  /** The store opens shorter leases than it was asked for, and tells nobody. */
  STORE_GRANTS_LESS_THAN_IT_SAYS,
  /** The store says yes to renewals and forgets them. */
  STORE_DROPS_RENEWALS,
  /** The store answers that a message is done while another owner still handles it. */
  STORE_ANSWERS_DONE_FOR_BUSY,
  /** The store never lets anybody take over what a vanished owner held. */
  STORE_NEVER_TAKES_OVER,
  /** The store forgets marks that are done, and counts nothing. */
  STORE_FORGETS_DONE,
  /** The adapter acknowledges a message when it hands it in. */
  ADAPTER_ACKNOWLEDGES_BEFORE_SETTLE,
  /** The adapter takes a deferral for the end of a message. */
  ADAPTER_ACKNOWLEDGES_DEFERRALS,
  /** The adapter commits behind the highest offset that is finished. */
  ADAPTER_COMMITS_THE_HIGHEST,
  /** The adapter hands in a message of a lane while another of it is under way. */
  ADAPTER_OVERTAKES,
  /** A process measures leases on a clock that stands still while it is frozen. */
  CLOCK_STANDS_STILL_IN_A_FREEZE,
  /** A process goes on without the store, and tells nobody. */
  BYPASSES_ARE_NOT_TOLD,
  /** A transaction that is rolled back leaves its marks behind. */
  ROLLBACK_KEEPS_MARKS,
  /** A transaction that is rolled back leaves its effects behind. */
  ROLLBACK_KEEPS_EFFECTS,
  /** Dead letters are thrown away. */
  DEAD_LETTERS_GET_LOST,
  /** A cache in the process remembers what is DEAD. */
  CACHE_KEEPS_DEAD,
  /** A cache in the process remembers what is DONE before the store has accepted it. */
  CACHE_FILLS_BEFORE_SETTLE
}
