package io.hapax.testkit;

/**
 * The contract of every transactional store in addition to {@link DedupStoreContract}, as tests to
 * inherit.
 *
 * @param <T> the transaction's handle
 */
public abstract class TransactionalDedupStoreContract<T>
    extends FixtureContract<TransactionalStoreFixture<T>>
    implements FindDoneContract<T>,
        RunOnceContract<T>,
        CompleteWithContract<T>,
        TransactionRaceContract<T> {

  /** For subclasses. */
  protected TransactionalDedupStoreContract() {}
}
