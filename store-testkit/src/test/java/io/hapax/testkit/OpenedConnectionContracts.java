package io.hapax.testkit;

import java.time.Duration;
import java.util.function.Supplier;

/** The contracts of failing connections, concurrency and restarts for any store. */
final class OpenedConnectionContracts {

  /** Short, because a broken store does not recover. */
  private static final Duration SOON = Duration.ofMillis(700);

  private OpenedConnectionContracts() {}

  static final class Lossy extends LossyConnectionContract {
    private final Supplier<? extends RemoteStoreFixture> fixtures;

    Lossy(Supplier<? extends RemoteStoreFixture> fixtures) {
      this.fixtures = fixtures;
    }

    @Override
    protected RemoteStoreFixture open() {
      return fixtures.get();
    }

    @Override
    protected Duration recoveryTimeout() {
      return SOON;
    }
  }

  static final class Transactional extends LossyTransactionContract<HeapTransaction> {
    private final Supplier<? extends RemoteTransactionalStoreFixture<HeapTransaction>> fixtures;

    Transactional(Supplier<? extends RemoteTransactionalStoreFixture<HeapTransaction>> fixtures) {
      this.fixtures = fixtures;
    }

    @Override
    protected RemoteTransactionalStoreFixture<HeapTransaction> open() {
      return fixtures.get();
    }

    @Override
    protected Duration recoveryTimeout() {
      return SOON;
    }
  }

  static final class Concurrent extends ConcurrencyContract {
    private final Supplier<? extends StoreFixture> fixtures;

    Concurrent(Supplier<? extends StoreFixture> fixtures) {
      this.fixtures = fixtures;
    }

    @Override
    protected StoreFixture open() {
      return fixtures.get();
    }
  }

  static final class Restarted extends RestartContract {
    private final Supplier<? extends RestartableStoreFixture> fixtures;

    Restarted(Supplier<? extends RestartableStoreFixture> fixtures) {
      this.fixtures = fixtures;
    }

    @Override
    protected RestartableStoreFixture open() {
      return fixtures.get();
    }
  }
}
