package io.hapax.redis;

import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Serialises callers. A waiting caller acquires the lock as soon as the current call ends.
 *
 * <p>The wait is bounded, because the guarded work calls listeners, and a listener may wait for
 * another caller. A listener that calls the store on the same thread does not wait for itself.
 */
final class BoundedLock {

  private final ReentrantLock lock = new ReentrantLock();
  private final Duration timeout;

  BoundedLock(Duration timeout) {
    this.timeout = timeout;
  }

  /**
   * Runs the work under the lock. Skips it if the lock is not free within the timeout, or if this
   * thread already holds the lock.
   */
  void runExclusively(Runnable work) {
    if (lock.isHeldByCurrentThread() || !acquire()) {
      return;
    }
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  private boolean acquire() {
    try {
      return lock.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while waiting for Redis", e);
    }
  }
}
