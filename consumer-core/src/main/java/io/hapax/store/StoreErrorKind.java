package io.hapax.store;

/** Why a verb ended in an exception, for metrics. */
public enum StoreErrorKind {
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
  public static StoreErrorKind of(Throwable thrown) {
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
