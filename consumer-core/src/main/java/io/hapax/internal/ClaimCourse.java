package io.hapax.internal;

import io.hapax.mark.ClaimAnswer.Acquired;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The claims of some messages on their way: sent as they are until each is answered, or given up,
 * or nobody waits for the store any more. It is at one place at a time.
 */
final class ClaimCourse<M> {

  private final Engine<M> engine;
  private final Backoff backoff;
  private final Runnable answered;

  /** What was asked for under a generation is not claimed long after anybody saw it. */
  private final Glance<M> generation;

  /** Those that are not answered yet. */
  private final List<Item<M>> items;

  private int tries;
  private Absence absence = Absence.NONE;

  /**
   * Of items that have been told what is asked for them.
   *
   * @param answered run after each call, and whenever some are given up
   */
  ClaimCourse(Engine<M> engine, List<Item<M>> items, Runnable answered) {
    this.engine = engine;
    this.backoff = Backoff.ofStoreCalls(engine.dice());
    this.items = new ArrayList<>(items);
    this.answered = answered;
    this.generation = new Glance<>(engine);
  }

  void send() {
    boolean moved = engine.generation().moved();
    items.stream()
        .filter(item -> moved || item.batch.abandoned())
        .forEach(item -> engine.outcomes().finish(item, Deferrals.ABANDONED));
    items.removeIf(item -> !item.asking());
    if (items.isEmpty()) {
      answered.run();
    } else if (engine.outage().over()) {
      goWithout();
      answered.run();
    } else if (generation.seen()) {
      ask();
    } else {
      sendLater(Glance.PAUSE);
    }
  }

  private void sendLater(Duration pause) {
    engine.tasks().callLater(List.copyOf(items), this::send, pause);
  }

  private void ask() {
    tries++;
    long asked = engine.nanos();
    List<Item<M>> late = new ArrayList<>();
    boolean reached = false;
    try {
      reached = engine.claimer().ask(items, late);
    } catch (RuntimeException | Error e) {
      engine.events().storeFailed("claim", e);
      engine.outage().failed(asked);
    }
    absence = reached || !late.isEmpty() ? Absence.NONE : engine.outage().longer(absence, asked);
    items.removeIf(item -> !item.asking());
    if (!reached && engine.outage().over(absence)) {
      goWithout();
    }
    answered.run();
    if (!items.isEmpty()) {
      Duration pause = !reached || tries > 3 ? backoff.after(tries) : Duration.ZERO;
      sendLater(pause);
    }
  }

  /** Lets the items run although nobody has granted them a claim. */
  private void goWithout() {
    for (Item<M> item : items) {
      Acquired nothing = Unprotected.of(item.asked());
      item.lease.forsake();
      long never = engine.nanos() + Long.MAX_VALUE / 2;
      engine.outcomes().carryOut(item, item.answered(nothing, never));
    }
    items.clear();
  }
}
