package io.hapax.store;

import java.time.Duration;
import java.util.Optional;

/**
 * A completed call of a store's verb.
 *
 * @param verb the verb
 * @param marks the number of marks in the call; for {@code list} and {@code purge} the maximum
 *     number; for {@code now} 0
 * @param unavailable how many of them were answered {@code Unavailable}; not negative, at most
 *     {@code marks}
 * @param took the time of the call with the work that a transactional verb runs; not negative
 * @param error the kind of the exception that ended the call; empty if it was answered
 */
public record StoreCall(
    Verb verb, int marks, int unavailable, Duration took, Optional<ErrorKind> error) {

  /** Why a verb ended in an exception, for metrics. */
  public enum ErrorKind {
    /** The store did not answer, or refused. */
    FAILED,
    /** The store rolled back because of other transactions. */
    CONTENTION,
    /** The commit's outcome is unknown. */
    COMMIT_UNKNOWN,
    /** The work left its transaction in a state that cannot be committed. */
    BROKEN_TRANSACTION,
    /** The work threw, or the verb was called with wrong arguments: the store did not fail. */
    CALLER;

    /**
     * {@return the kind of an exception}
     *
     * @param thrown the exception that a verb threw
     */
    public static ErrorKind of(Throwable thrown) {
      if (thrown instanceof StoreContentionException) {
        return CONTENTION;
      } else if (thrown instanceof CommitUnknownException) {
        return COMMIT_UNKNOWN;
      } else if (thrown instanceof StoreException) {
        return FAILED;
      } else if (thrown instanceof BrokenTransactionException) {
        return BROKEN_TRANSACTION;
      }
      return CALLER;
    }
  }

  /** The verbs of a store. */
  public enum Verb {
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
}
