package io.hapax.internal;

import io.hapax.Outcome;
import java.time.Duration;
import java.util.Collection;

/**
 * Work done for messages, on a receiver's threads. It may throw what nobody foresaw: its messages
 * are then deferred, so that they come again. The claim of one that was started is not released,
 * because its handler may have run; it ends with its lease.
 */
final class Tasks<M> {

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
        Outcome.Deferred broken = broke(e);
        outcomes.giveUp(items, broken);
        items.stream().filter(Item::stranded).forEach(item -> outcomes.finish(item, broken));
      }
    };
  }

  /**
   * Tells of what nobody foresaw.
   *
   * @return what becomes of its messages
   */
  Outcome.Deferred broke(Throwable error) {
    events.broke("consumer " + consumer, error);
    return Deferrals.broken(error);
  }
}
