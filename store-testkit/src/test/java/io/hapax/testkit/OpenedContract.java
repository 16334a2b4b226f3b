package io.hapax.testkit;

import io.hapax.store.DedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiFunction;

/** The contract of any store; its tests are run one by one without JUnit. */
final class OpenedContract extends DedupStoreContract {

  private final BiFunction<InstantSource, Duration, DedupStore> opening;

  OpenedContract(BiFunction<InstantSource, Duration, DedupStore> opening) {
    this.opening = opening;
  }

  @Override
  protected StoreFixture open() {
    return new InMemoryFixture(opening);
  }
}
