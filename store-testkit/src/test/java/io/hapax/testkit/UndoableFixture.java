package io.hapax.testkit;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiFunction;

/** A transactional store in the heap; its transactions collect their effects. */
class UndoableFixture extends HeapFixture<UndoableStore>
    implements TransactionalStoreFixture<HeapTransaction> {

  UndoableFixture() {
    this(UndoableStore::new);
  }

  UndoableFixture(BiFunction<InstantSource, Duration, UndoableStore> opening) {
    super(opening);
  }

  @Override
  public void writeEffect(HeapTransaction transaction, String id) {
    transaction.write(id);
  }

  @Override
  public void meetError(HeapTransaction transaction) {
    transaction.meetError();
  }

  @Override
  public void rollBackByHand(HeapTransaction transaction) {
    transaction.rollBack();
  }

  @Override
  public int effects(String id) {
    return store().effects(id);
  }
}
