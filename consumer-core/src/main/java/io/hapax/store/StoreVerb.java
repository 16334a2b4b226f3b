package io.hapax.store;

/** The verbs of a store. */
public enum StoreVerb {
  /** {@link DedupStore#claim}. */
  CLAIM,
  /** {@link DedupStore#renew}. */
  RENEW,
  /** {@link DedupStore#settle}. */
  SETTLE,
  /** {@link DedupStore#find}. */
  FIND,
  /** {@link DedupStore#list}. */
  LIST,
  /** {@link DedupStore#resolve}. */
  RESOLVE,
  /** {@link DedupStore#purge}. */
  PURGE,
  /** {@link TransactionalDedupStore#findDone}. */
  FIND_DONE,
  /** {@link TransactionalDedupStore#runOnce}, with the work. */
  RUN_ONCE,
  /** {@link TransactionalDedupStore#completeWith}, with the work. */
  COMPLETE_WITH
}
