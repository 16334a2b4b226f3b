package io.hapax.store;

/** The verbs of a store. */
public enum StoreVerb {
  /** {@link DedupStore#claim}. */
  CLAIM,
  /** {@link DedupStore#renew}. */
  RENEW,
  /** {@link DedupStore#settle}. */
  SETTLE,
  /** {@link MarkAdmin#now}. */
  NOW,
  /** {@link MarkAdmin#find}. */
  FIND,
  /** {@link MarkAdmin#list}. */
  LIST,
  /** {@link MarkAdmin#resolve}. */
  RESOLVE,
  /** {@link MarkAdmin#purge}. */
  PURGE,
  /** {@link TransactionalDedupStore#findDone}. */
  FIND_DONE,
  /** {@link TransactionalDedupStore#runOnce}, with the work. */
  RUN_ONCE,
  /** {@link TransactionalDedupStore#completeWith}, with the work. */
  COMPLETE_WITH
}
