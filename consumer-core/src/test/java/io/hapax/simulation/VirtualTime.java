package io.hapax.simulation;

import io.hapax.mark.EpochMicros;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The events of a world, one after the other, by their time; of those at the same time the dice
 * choose. One thread at a time holds the baton and runs them. What pauses in the middle of an event
 * parks its thread and lets another carry the baton on, so that real code may "block" in virtual
 * time and everything else goes on around it.
 */
final class VirtualTime implements InstantSource {

  private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

  private static final ExecutorService CARRIERS = Executors.newCachedThreadPool(task -> {
    Thread thread = new Thread(task, "simulation");
    thread.setDaemon(true);
    return thread;
  });

  private record Event(
      long at,
      long order,
      Life life,
      @Nullable Runnable task,
      @Nullable Semaphore parked) {}

  private static final long MOST_STEPS = 2_000_000;

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
  private final Dice dice;
  private final CountDownLatch ended = new CountDownLatch(1);
  private @Nullable Throwable failure;
  private long now;
  private long steps;

  VirtualTime(Dice dice) {
    this.dice = dice;
  }

  long now() {
    return now;
  }

  long steps() {
    return steps;
  }

  /** A moment in the unit of tokens. */
  long micros(long nanos) {
    return EpochMicros.of(BEGINNING.plusNanos(nanos));
  }

  @Override
  public Instant instant() {
    return BEGINNING.plusNanos(now);
  }

  /** Lets something happen after a time, unless the life that it belongs to has ended by then. */
  void after(Duration delay, Life life, Runnable task) {
    events.add(new Event(now + delay.toNanos(), dice.any(), life, task, null));
  }

  /**
   * Lets time pass in the middle of an event.
   *
   * @throws ProcessDied if the life that the event belongs to has ended by then
   */
  void pause(Duration time, Life life) {
    if (life.over()) {
      throw new ProcessDied();
    }
    Semaphore parked = new Semaphore(0);
    Event back = new Event(now + time.toNanos(), dice.any(), life, null, parked);
    events.add(back);
    if (back.equals(events.peek()) && life.movesAt(back.at()) == back.at()) {
      events.remove();
      now = back.at();
      steps++;
    } else {
      CARRIERS.execute(this::carry);
      parked.acquireUninterruptibly();
    }
    if (life.over()) {
      throw new ProcessDied();
    }
  }

  /** Runs until nothing is left to happen. */
  void run() throws InterruptedException {
    CARRIERS.execute(this::carry);
    ended.await();
    if (failure != null) {
      throw new IllegalStateException("an event threw", failure);
    }
  }

  private void carry() {
    for (Event event = events.poll(); event != null; event = events.poll()) {
      long at = event.life().movesAt(event.at());
      if (at > event.at()) {
        events.add(new Event(at, event.order(), event.life(), event.task(), event.parked()));
        continue;
      }
      if (++steps > MOST_STEPS) {
        failure = new IllegalStateException("no end after " + steps + " events");
        break;
      }
      if (event.parked() != null) {
        now = Math.max(now, event.life().over() ? now : event.at());
        event.parked().release();
        return; // the baton is the other's now
      }
      if (!event.life().over()) {
        now = Math.max(now, event.at());
        happen(Optional.ofNullable(event.task()).orElseThrow());
      }
    }
    ended.countDown();
  }

  private void happen(Runnable task) {
    try {
      task.run();
    } catch (ProcessDied expected) {
      // That was its last event.
    } catch (Throwable unexpected) {
      if (failure == null && !(unexpected.getCause() instanceof ProcessDied)) {
        failure = unexpected;
      }
    }
  }
}
