package io.hapax.internal;

import io.hapax.DeadLetter.Kind;
import io.hapax.Outcome;
import io.hapax.Outcome.Deferred;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Suspect;
import java.util.List;
import java.util.Optional;

/**
 * The messages of one lane of a submission, run one after the other. At most one thread is in it at
 * a time: it is either queued to a worker, running, or parked until an item elsewhere is finished.
 */
final class Lane<M> implements Runnable {

  /** How a turn ended. */
  private enum Turn {
    NEXT,
    PARKED,
    STOPPED
  }

  private final Engine<M> engine;
  private final List<Item<M>> items;
  private final Step<M> step;
  private int cursor;

  Lane(Engine<M> engine, List<Item<M>> items, Step<M> step) {
    this.engine = engine;
    this.items = items;
    this.step = step;
  }

  /**
   * Gives up at once what stands behind a message that is known to be busy; then queues the lane to
   * a worker.
   */
  void open() {
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i).answer().orElse(null) instanceof ClaimAnswer.Busy busy) {
        giveUpFrom(i + 1, Deferrals.behind(busy.remaining()));
        break;
      }
    }
    engine.threads().work(this);
  }

  @Override
  public void run() {
    while (cursor < items.size()) {
      Turn turn = turn(items.get(cursor));
      if (turn == Turn.PARKED) {
        return;
      }
      cursor++;
      if (turn == Turn.STOPPED) {
        return;
      }
    }
  }

  private Turn turn(Item<M> item) {
    if (item.answer().isEmpty() && item.key.isPresent()) {
      return behindItsOwnId(item);
    }
    if (item.answer().orElse(null) instanceof Suspect && item.givenUpFor().isEmpty()) {
      return alone(item);
    }
    if (!item.start()) {
      return stopIfDeferred(item);
    }
    return stopAt(started(item));
  }

  private Optional<Deferred> started(Item<M> item) {
    if (item.key.isEmpty()) {
      return engine.failures().withoutMark(item, Kind.MISSING_ID, "the message has no usable id");
    }
    ClaimAnswer answer = item.answer().orElseThrow();
    if (answer instanceof Acquired acquired) {
      return acquired(item, acquired);
    }
    if (answer instanceof ClaimAnswer.Conflict conflict) {
      return engine
          .failures()
          .withoutMark(
              item, Kind.CONFLICT, "another payload is " + conflict.state() + " under this id");
    }
    Deferred busy = answer instanceof ClaimAnswer.Busy it
        ? Deferrals.busy(it.remaining())
        : Deferrals.busy(java.time.Duration.ZERO);
    engine.finish(item, busy);
    return Optional.of(busy);
  }

  private Optional<Deferred> acquired(Item<M> item, Acquired acquired) {
    if (engine.failures().exhausted(acquired)) {
      return engine.failures().exhausted(item, acquired);
    }
    if (item.leaseLeftNanos(engine.nanos()) < engine.marginNanos()) {
      engine.settler().settle(item, new io.hapax.mark.Verdict.Release(), Deferrals.TOO_SHORT);
      return Optional.of(Deferrals.TOO_SHORT);
    }
    return step.run(item, acquired);
  }

  /**
   * The same id is on its way in this process: the lane waits for it, unless it is an earlier
   * message of this lane.
   */
  private Turn behindItsOwnId(Item<M> item) {
    if (engine.followsWithin(item, items)) {
      return Turn.NEXT;
    }
    if (item.whenFinished(() -> engine.threads().work(this))) {
      return Turn.PARKED;
    }
    return stopIfDeferred(item);
  }

  private Turn alone(Item<M> item) {
    SoloGate gate = engine.soloGate();
    if (!gate.enter(() -> engine.threads().work(this))) {
      return Turn.PARKED;
    }
    if (!item.whenFinished(gate::leave)) {
      gate.leave();
      return stopIfDeferred(item);
    }
    try {
      engine.claimer().claimSolo(item);
    } catch (RuntimeException e) {
      engine.storeFailed("claim", e);
      Deferred unavailable = Deferrals.storeUnavailable(e);
      engine.finish(item, unavailable);
      return stopAt(Optional.of(unavailable));
    }
    return item.start() ? stopAt(started(item)) : stopIfDeferred(item);
  }

  private Turn stopIfDeferred(Item<M> item) {
    Optional<Outcome> outcome = item.outcome().or(item::givenUpFor);
    return outcome.orElse(null) instanceof Deferred deferred
        ? stopAt(Optional.of(deferred))
        : Turn.NEXT;
  }

  private Turn stopAt(Optional<Deferred> deferral) {
    if (deferral.isEmpty()) {
      return Turn.NEXT;
    }
    giveUpFrom(cursor + 1, Deferrals.behind(deferral.get().after()));
    return Turn.STOPPED;
  }

  private void giveUpFrom(int from, Deferred because) {
    engine.giveUp(items.subList(Math.min(from, items.size()), items.size()), because);
  }
}
