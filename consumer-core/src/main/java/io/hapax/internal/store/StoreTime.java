package io.hapax.internal.store;

import io.hapax.internal.runtime.SystemTime;
import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.time.Instant;

/**
 * Estimates a store's time for tools that only read its marks. Reads it once and then adds the
 * elapsed time of this process's monotonic clock. Used by one thread.
 */
public final class StoreTime {

  private final DedupStore store;
  private final StoreClock clock;

  public StoreTime(DedupStore store) {
    this.store = store;
    this.clock = new StoreClock(SystemTime.INSTANCE);
  }

  /**
   * Returns the store's time. The first call sends a claim of this key that changes no mark. Throws
   * if the store did not answer.
   */
  public Instant now(MessageKey key) {
    if (clock.unknown()) {
      var unused = clock.ask(store, key);
    }
    return clock.in(Duration.ZERO);
  }
}
