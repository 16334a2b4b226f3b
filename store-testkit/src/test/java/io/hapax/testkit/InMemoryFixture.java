package io.hapax.testkit;

import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiFunction;

/** A leased store in the heap. */
final class InMemoryFixture extends HeapFixture<DedupStore> implements StoreFixture {

  InMemoryFixture() {
    this(InMemoryDedupStore::new);
  }

  InMemoryFixture(BiFunction<InstantSource, Duration, ? extends DedupStore> opening) {
    super(opening);
  }
}
