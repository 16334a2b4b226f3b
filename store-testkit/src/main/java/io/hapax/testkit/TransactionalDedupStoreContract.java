package io.hapax.testkit;

import org.junit.jupiter.api.BeforeEach;

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

  private TransactionalBench<T> transactions;

  /** For subclasses. */
  protected TransactionalDedupStoreContract() {}

  @BeforeEach
  @Override
  final void opened() {
    transactions = new TransactionalBench<>(fixture(), bench());
  }

  @Override
  public final TransactionalBench<T> transactions() {
    return transactions;
  }
}
