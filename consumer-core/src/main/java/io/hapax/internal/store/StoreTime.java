package io.hapax.internal.store;

import io.hapax.internal.runtime.SystemTime;
import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;

/**
 * What time it is for a store, for whoever only looks at its marks. It is asked once; from then on
 * this process's monotonic clock carries it on. Used by one thread.
 */
public final class StoreTime {

  private final DedupStore store;
  private final StoreClock clock;

  /**
   * Of a store that was not asked yet.
   *
   * @param store the store
   */
  public StoreTime(DedupStore store) {
    this.store = store;
    this.clock = new StoreClock(SystemTime.INSTANCE);
  }

  /**
   * The time. A claim that may only be executed in 1970 is answered with it, and changes nothing.
   *
   * @param key what to ask with; any
   * @throws StoreException if the store did not answer
   */
  public Instant now(MessageKey key) {
    if (clock.unknown()) {
      var unused = clock.ask(store, key);
    }
    return clock.in(Duration.ZERO);
  }
}
