package io.hapax.testkit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract of every transactional store in addition to {@link DedupStoreContract}, as tests to
 * inherit.
 *
 * @param <T> the transaction's handle
 */
public abstract class TransactionalDedupStoreContract<T>
    implements FindDoneContract<T>,
        RunOnceContract<T>,
        CompleteWithContract<T>,
        TransactionRaceContract<T> {

  private TransactionalBench<T> transactions;

  /** For subclasses. */
  protected TransactionalDedupStoreContract() {}

  /**
   * Opens the store, before each test. May be called many times; the fixture is closed after each
   * test.
   *
   * @return the store under test
   */
  protected abstract TransactionalStoreFixture<T> open();

  @BeforeEach
  final void openStore() {
    transactions = new TransactionalBench<>(open());
  }

  @AfterEach
  final void closeStore() {
    transactions.bench().fixture().close();
  }

  @Override
  public final TransactionalBench<T> transactions() {
    return transactions;
  }
}
