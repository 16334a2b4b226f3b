package io.hapax.simulation;

/** Known mistakes; the simulation must detect each of them in a world that makes it. */
enum Mistake {
  /** The store settles by the key alone, so that a late owner overwrites its successor. */
  STORE_SETTLES_WITHOUT_TOKEN,
  /** The store uses the clock of the process that calls it. */
  STORE_BELIEVES_THE_CALLERS_CLOCK,
  /** The store releases a claim by deleting its mark. */
  STORE_RELEASES_BY_DELETE,
  /** The store grants shorter leases than it reports. */
  STORE_GRANTS_LESS_THAN_IT_SAYS,
  /** The store accepts renewals and does not store them. */
  STORE_DROPS_RENEWALS,
  /** The store answers that a message is done while another owner still handles it. */
  STORE_ANSWERS_DONE_FOR_BUSY,
  /** The store never allows a takeover from a vanished owner. */
  STORE_NEVER_TAKES_OVER,
  /** The store loses DONE marks and does not report it. */
  STORE_FORGETS_DONE,
  /** The store forgets DONE marks before the last replay: a replay runs again without a report. */
  STORE_KEEPS_DONE_TOO_SHORTLY,
  /** The store drops a mark with its lease: attempts, doubt and the old token go with it. */
  STORE_DROPS_MARKS_WITH_THEIR_LEASE,
  /** The store takes each failure for one without effect: its policy is not asked. */
  STORE_FORGETS_DOUBT,
  /** The store deletes the mark of a failed message: its doubt and its attempts are lost. */
  STORE_DELETES_FAILED_MARKS,
  /** The client takes a lost settlement for success: the message never becomes DONE. */
  CLIENT_TAKES_SILENCE_FOR_SETTLED,
  /** The client takes an outage for duplicates: each message of the outage is lost. */
  CLIENT_TAKES_AN_OUTAGE_FOR_DONE,
  /** The adapter acknowledges a message when it submits it. */
  ADAPTER_ACKNOWLEDGES_BEFORE_SETTLE,
  /** The adapter takes a deferral for the end of a message. */
  ADAPTER_ACKNOWLEDGES_DEFERRALS,
  /** The adapter commits behind the highest offset that is finished. */
  ADAPTER_COMMITS_THE_HIGHEST,
  /** The adapter submits a message of a lane while another one of it runs. */
  ADAPTER_OVERTAKES,
  /** A process measures leases on a clock that stops while it is frozen. */
  CLOCK_STOPS_IN_A_FREEZE,
  /** A transaction that is rolled back leaves its marks behind. */
  ROLLBACK_KEEPS_MARKS,
  /** A transaction that is rolled back leaves its effects behind. */
  ROLLBACK_KEEPS_EFFECTS,
  /** A look-up before a transaction reads marks that are not committed. */
  LOOKUP_SEES_UNCOMMITTED_MARKS,
  /** A look-up before a transaction answers any mark as done. */
  LOOKUP_TAKES_ANY_MARK_FOR_DONE,
  /** Dead letters are thrown away. */
  DEAD_LETTERS_GET_LOST
}
