package io.hapax.testkit;

/**
 * The contract of every dedup store, as tests to inherit: a store's test class only supplies a
 * fixture. If a server is missing, {@link #open()} must fail; the tests must not be skipped.
 */
public abstract class DedupStoreContract extends FixtureContract<StoreFixture>
    implements MachineContract,
        ClaimContract,
        TakeoverContract,
        SettleContract,
        DeferContract,
        BatchContract,
        IdentityContract,
        OperatorContract,
        ListContract,
        PurgeContract,
        GenerationContract,
        HistoryContract,
        ClientClockContract,
        RaceContract {

  /** For subclasses. */
  protected DedupStoreContract() {}
}
