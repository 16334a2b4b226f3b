package io.hapax.testkit;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiFunction;

/** The contract of any transactional store; its tests are run one by one without JUnit. */
final class OpenedTransactionalContract extends TransactionalDedupStoreContract<HeapTransaction> {

  private final BiFunction<InstantSource, Duration, UndoableStore> opening;

  OpenedTransactionalContract(BiFunction<InstantSource, Duration, UndoableStore> opening) {
    this.opening = opening;
  }

  @Override
  protected TransactionalStoreFixture<HeapTransaction> open() {
    return new UndoableFixture(opening);
  }
}
