package io.hapax.internal;

import io.hapax.Outcome;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs work for messages on a receiver's threads. If the work throws an unexpected exception or
 * error, its messages are deferred and the broker delivers them again. The claim of a message that
 * was started is not released, because its handler may have run; it ends with its lease.
 */
final class Tasks<M> {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String consumer;
  private final Threads threads;
  private final Outcomes<M> outcomes;
  private final Events events;

  Tasks(String consumer, Threads threads, Outcomes<M> outcomes, Events events) {
    this.consumer = consumer;
    this.threads = threads;
    this.outcomes = outcomes;
    this.events = events;
  }

  /** Runs work on a worker. */
  void work(Collection<Item<M>> items, Runnable work) {
    threads.work(guarded(items, work));
  }

  /** Runs work on a worker, after a pause. */
  void workLater(Collection<Item<M>> items, Runnable work, Duration pause) {
    threads.callLater(() -> work(items, work), pause.toMillis());
  }

  /** Calls the store, after a pause. */
  void callLater(Collection<Item<M>> items, Runnable call, Duration pause) {
    threads.callLater(guarded(items, call), pause.toMillis());
  }

  Runnable guarded(Collection<Item<M>> items, Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        untilItSucceeds(() -> defer(items, e));
      }
    };
  }

  private void defer(Collection<Item<M>> items, Throwable error) {
    Outcome.Deferred broken = broke(error);
    outcomes.giveUp(items, broken);
    items.stream().filter(Item::stranded).forEach(item -> outcomes.finish(item, broken));
  }

  /**
   * Runs what must not be left out, again and again while it throws. It stays on this thread: where
   * memory is used up, handing it to another thread would fail too.
   */
  void untilItSucceeds(Runnable step) {
    while (true) {
      try {
        step.run();
        return;
      } catch (RuntimeException | Error e) {
        LockSupport.parkNanos(PAUSE_NANOS);
        if (threads.timer().isShutdown()) {
          return; // closing gives every message its outcome
        }
      }
    }
  }

  /**
   * Reports an unexpected exception or error.
   *
   * @return the outcome of its messages
   */
  Outcome.Deferred broke(Throwable error) {
    events.broke("consumer " + consumer, error);
    return Deferrals.broken(error);
  }
}
