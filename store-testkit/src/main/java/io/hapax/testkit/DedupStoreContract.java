package io.hapax.testkit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract of every dedup store, as tests to inherit: a store's test class only supplies a
 * fixture. If a server is missing, {@link #open()} must fail; the tests must not be skipped.
 */
public abstract class DedupStoreContract
    implements ClaimContract,
        TakeoverContract,
        RenewContract,
        SettleContract,
        DeferContract,
        ConflictContract,
        BatchContract,
        IdentityContract,
        OperatorContract,
        ListContract,
        PurgeContract,
        GenerationContract,
        HistoryContract,
        ClientClockContract,
        RaceContract {

  private Bench bench;

  /** For subclasses. */
  protected DedupStoreContract() {}

  /**
   * Opens the store, before each test. May be called many times; the fixture is closed after each
   * test.
   *
   * @return the store under test
   */
  protected abstract StoreFixture open();

  @BeforeEach
  final void openStore() {
    bench = new Bench(open());
  }

  @AfterEach
  final void closeStore() {
    bench.fixture().close();
  }

  @Override
  public final Bench bench() {
    return bench;
  }
}
