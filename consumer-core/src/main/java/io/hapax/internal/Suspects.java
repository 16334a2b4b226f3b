package io.hapax.internal;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Suspect;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets messages whose claims were lost through the gate. A message that stays in it for too long
 * leaves it, so that it holds up no other suspect any more; it is a problem until it ends.
 */
final class Suspects<M> {

  private final Threads threads;
  private final Events events;
  private final SuspectGate gate;
  private final int maxAttempts;
  private final Duration claimLimit;
  private final Duration runLimit;
  private final Map<Item<M>, Runnable> alarms = new ConcurrentHashMap<>();

  /** Claims twice as many as can run, so that no worker waits for the store. */
  Suspects(EngineSettings<M> settings, Threads threads, Events events) {
    this.threads = threads;
    this.events = events;
    this.gate = new SuspectGate(2 * settings.running().workers());
    this.maxAttempts = settings.failing().retry().maxAttempts();
    this.claimLimit = settings.lease().lease();
    this.runLimit = settings
        .running()
        .handlingLimit()
        .map(limit -> limit.plus(settings.lease().margin()))
        .orElse(claimLimit);
  }

  /**
   * Lets a suspect in before it is claimed, and again before it runs.
   *
   * @param whenInside run once if it has to wait, when it is inside or was given up
   * @return whether it is inside
   */
  boolean enter(Item<M> item, Runnable whenInside) {
    boolean alone = runsAlone(item);
    boolean inside = gate.enter(item, alone, whenInside);
    if (inside) {
      Duration limit = item.acquired().isPresent() ? runLimit : claimLimit;
      cancel(alarms.put(item, threads.alarm(() -> overdue(item, alone, limit), limit)));
    }
    if (!item.unfinished()) {
      leave(item); // it was given up before it came
    }
    return inside;
  }

  /**
   * A message that another process has taken over and lost meanwhile was lost alone by that one.
   */
  private boolean runsAlone(Item<M> item) {
    Suspect suspect = item.suspicion().orElseThrow();
    boolean lostSince = item.acquired()
        .map(Acquired::claim)
        .filter(claim -> claim.attempt().number() != suspect.nextAttempt())
        .isPresent();
    return lostSince || suspect.runsAlone(maxAttempts);
  }

  /** Ends a suspect's stay: it has its outcome, or waits for something else. */
  void leave(Item<M> item) {
    if (item.suspicion().isEmpty()) {
      return;
    }
    cancel(alarms.remove(item));
    gate.leave(item);
    events.clear(source(item));
  }

  private static void cancel(@Nullable Runnable alarm) {
    if (alarm != null) {
      alarm.run();
    }
  }

  private void overdue(Item<M> item, boolean alone, Duration limit) {
    alarms.remove(item);
    if (gate.leave(item) && alone) {
      events.holdsUpNoMore(source(item), limit);
      if (!item.unfinished()) {
        events.clear(source(item));
      }
    }
  }

  private String source(Item<M> item) {
    return "suspect " + item.requiredKey() + " at " + item.incoming.coordinates();
  }
}
