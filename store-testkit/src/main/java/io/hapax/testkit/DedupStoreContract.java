package io.hapax.testkit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What every dedup store does, as tests to inherit: a store's test class supplies a fixture and
 * nothing else. A server that is missing must fail in {@link #open()}, not skip.
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
