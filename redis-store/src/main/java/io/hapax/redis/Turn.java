package io.hapax.redis;

import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One at a time: who comes while somebody is at it waits until that is over, and finds it done.
 *
 * <p>Nobody waits for ever: what is done here may call listeners, and one of theirs may wait for
 * whoever comes. A listener that calls the store itself does not wait for itself.
 */
final class Turn {

  private final ReentrantLock lock = new ReentrantLock();
  private final Duration patience;

  Turn(Duration patience) {
    this.patience = patience;
  }

  /** Does it when it is its turn; not at all if that does not come, or within itself. */
  void take(Runnable work) {
    if (lock.isHeldByCurrentThread() || !comes()) {
      return;
    }
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  private boolean comes() {
    try {
      return lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while waiting for Redis", e);
    }
  }
}
