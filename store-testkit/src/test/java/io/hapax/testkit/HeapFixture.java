package io.hapax.testkit;

import io.hapax.store.DedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiFunction;

/** A store in the heap. Only this process sees its marks, so both stores are the same. */
abstract class HeapFixture<S extends DedupStore> {

  private static final Duration RETENTION = Duration.ofDays(8);

  private final MovableClock clock = new MovableClock();
  private final S store;

  HeapFixture(BiFunction<InstantSource, Duration, ? extends S> opening) {
    store = opening.apply(clock, RETENTION);
  }

  public S store() {
    return store;
  }

  public S other() {
    return store;
  }

  public void advance(Duration by) {
    clock.advance(by);
  }

  public Duration retention() {
    return RETENTION;
  }

  public void close() {
    store.close();
  }
}
