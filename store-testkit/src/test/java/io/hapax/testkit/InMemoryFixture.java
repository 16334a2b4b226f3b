package io.hapax.testkit;

import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiFunction;

/** A store in the heap; its marks are seen by this process only, so that both handles are one. */
final class InMemoryFixture implements StoreFixture {

  private static final Duration RETENTION = Duration.ofDays(8);

  private final MovableClock clock = new MovableClock();
  private final DedupStore store;

  InMemoryFixture() {
    this(InMemoryDedupStore::new);
  }

  InMemoryFixture(BiFunction<InstantSource, Duration, DedupStore> opening) {
    store = opening.apply(clock, RETENTION);
  }

  @Override
  public DedupStore store() {
    return store;
  }

  @Override
  public DedupStore other() {
    return store;
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
