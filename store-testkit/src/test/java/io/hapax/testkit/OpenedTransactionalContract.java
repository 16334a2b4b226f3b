package io.hapax.testkit;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiFunction;

/** The contract of whatever transactional store is opened; run by hand, sentence by sentence. */
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
