package io.hapax.testkit;

import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiFunction;

/** A transactional store in the heap; its transactions are effects to come. */
final class UndoableFixture implements TransactionalStoreFixture<HeapTransaction> {

  private static final Duration RETENTION = Duration.ofDays(8);

  private final MovableClock clock = new MovableClock();
  private final UndoableStore store;

  UndoableFixture() {
    this(UndoableStore::new);
  }

  UndoableFixture(BiFunction<InstantSource, Duration, UndoableStore> opening) {
    store = opening.apply(clock, RETENTION);
  }

  @Override
  public TransactionalDedupStore<HeapTransaction> store() {
    return store;
  }

  @Override
  public TransactionalDedupStore<HeapTransaction> other() {
    return store;
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
    return store.effects(id);
  }

  @Override
  public void advance(Duration by) {
    clock.advance(by);
  }

  @Override
  public Duration retention() {
    return RETENTION;
  }

  @Override
  public void close() {
    store.close();
  }
}
