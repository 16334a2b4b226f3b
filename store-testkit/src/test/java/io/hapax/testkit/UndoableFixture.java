package io.hapax.testkit;

import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.List;

/** A transactional store in the heap; its transactions are lists of effects. */
final class UndoableFixture implements TransactionalStoreFixture<List<String>> {

  private static final Duration RETENTION = Duration.ofDays(8);

  private final MovableClock clock = new MovableClock();
  private final UndoableStore store = new UndoableStore(clock, RETENTION);

  @Override
  public TransactionalDedupStore<List<String>> store() {
    return store;
  }

  @Override
  public TransactionalDedupStore<List<String>> other() {
    return store;
  }

  @Override
  public void writeEffect(List<String> transaction, String id) {
    transaction.add(id);
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
