package io.hapax.internal.claim;

import io.hapax.health.Problem;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Environment;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Suspect;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Passes messages whose claims were lost through the gate. A message that stays inside for too long
 * leaves the gate, so that it does not block other suspects. It is a problem until it ends.
 */
public final class Suspects<M> {

  private final Environment env;
  private final Events events;
  private final SuspectGate gate;
  private final int maxAttempts;
  private final Duration claimLimit;
  private final Duration runLimit;
  private final Map<InFlightMessage<M>, Alarm> alarms = new ConcurrentHashMap<>();

  /**
   * Creates a gate for twice as many suspects as workers, so that no worker waits for the store.
   */
  public Suspects(EngineSettings<M> settings, Environment env, Events events) {
    this.env = env;
    this.events = events;
    this.gate = new SuspectGate(2 * settings.running().workers());
    this.maxAttempts = settings.failing().retry().maxAttempts();
    this.claimLimit = settings.lease().lease();
    this.runLimit = settings
        .running()
        .handlerTimeout()
        .map(limit -> limit.plus(settings.lease().margin()))
        .orElse(claimLimit);
  }

  /**
   * Admits a suspect before it is claimed, and again before it runs.
   *
   * @param whenInside runs once if it has to wait, when it is inside or was given up
   * @return whether it is inside
   */
  public boolean enter(InFlightMessage<M> message, Runnable whenInside) {
    boolean alone = runsAlone(message);
    boolean inside = gate.enter(message, alone, whenInside);
    if (inside) {
      Duration limit = message.acquired().isPresent() ? runLimit : claimLimit;
      Alarm alarm = new Alarm(message, alone, limit);
      cancel(alarms.put(message, alarm));
      alarm.cancel = env.alarm(alarm, limit);
    }
    if (!message.unfinished()) {
      leave(message); // it was given up before it entered
    }
    return inside;
  }

  /**
   * Returns whether the suspect runs alone. It does if another process has taken it over and lost
   * it meanwhile, because that process ran it alone.
   */
  private boolean runsAlone(InFlightMessage<M> message) {
    Suspect suspect = message.suspicion().orElseThrow();
    boolean lostSince = message
        .acquired()
        .map(Acquired::claim)
        .filter(claim -> claim.attempt().number() != suspect.nextAttempt())
        .isPresent();
    return lostSince || suspect.runsAlone(maxAttempts);
  }

  /** Removes a suspect that waits for something else, or has finished. */
  public void leave(InFlightMessage<M> message) {
    if (message.suspicion().isPresent()) {
      gate.leave(message);
      cancel(alarms.remove(message));
      events.clear(Problem.Kind.SUSPECT, source(message));
    }
  }

  private void cancel(@Nullable Alarm alarm) {
    if (alarm != null) {
      alarm.cancel.run();
    }
  }

  /** Removes a suspect that stays too long, unless a newer alarm has replaced this one. */
  private final class Alarm implements Runnable {

    private final InFlightMessage<M> message;
    private final boolean alone;
    private final Duration limit;
    private volatile Runnable cancel = () -> {};

    Alarm(InFlightMessage<M> message, boolean alone, Duration limit) {
      this.message = message;
      this.alone = alone;
      this.limit = limit;
    }

    @Override
    public void run() {
      if (alarms.remove(message, this) && gate.leave(message) && alone) {
        events.suspectTimedOut(source(message), message.incoming.coordinates(), limit);
        if (!message.unfinished()) {
          events.clear(Problem.Kind.SUSPECT, source(message));
        }
      }
    }
  }

  private String source(InFlightMessage<M> message) {
    return "suspect " + message.requiredKey() + " at " + message.incoming.coordinates();
  }
}
