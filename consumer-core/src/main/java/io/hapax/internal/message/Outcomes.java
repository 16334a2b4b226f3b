package io.hapax.internal.message;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.Engine;
import io.hapax.internal.runtime.Descriptions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives messages their outcomes, each exactly once, and with it all that waits for them. */
public final class Outcomes<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);

  private final Engine<M> engine;
  private final InFlightIds running;

  public Outcomes(Engine<M> engine, InFlightIds running) {
    this.engine = engine;
    this.running = running;
  }

  /** Gives an item its outcome, unless it has one. */
  public void finish(InFlightMessage<M> item, Outcome outcome) {
    if (engine.results().wanted(outcome)) {
      engine.results().answer(item, (Outcome.Duplicate) outcome);
    } else {
      finishAnswered(item, outcome);
    }
  }

  /** Gives an item its outcome, unless it has one; nobody has to hear of it first. */
  public void finishAnswered(InFlightMessage<M> item, Outcome outcome) {
    if (!item.finish(outcome)) {
      return;
    }
    try {
      if (!item.isHandling()) {
        release(item);
      }
      engine.failures().stalls().ended(item, outcome);
      engine.waitingLanes().ended(item, outcome);
    } finally { // nobody gives it an outcome a second time
      conclude(item, outcome);
    }
  }

  /** Runs each step, whatever the steps before it throw. */
  private void conclude(InFlightMessage<M> item, Outcome outcome) {
    try {
      handOn(item, outcome);
    } finally {
      try {
        goOnAfter(item, outcome);
      } finally {
        if (item.batch.countDown(outcome)) {
          engine.ended(item.batch);
        }
      }
    }
  }

  private void goOnAfter(InFlightMessage<M> item, Outcome outcome) {
    try {
      engine.events().outcome(item, outcome);
    } finally {
      List<InFlightMessage<M>> followers = item.followers();
      for (int i = 0; i < followers.size(); i++) { // without an iterator: memory may be used up
        InFlightMessage<M> follower = followers.get(i);
        follower.batch.outcomes.followForSure(follower, item, outcome);
      }
      Runnable action = item.finishedAction();
      if (action != null) {
        action.run();
      }
    }
  }

  /** Repeats it while it throws: a follower that has its outcome does not get another one. */
  private void followForSure(
      InFlightMessage<M> follower, InFlightMessage<?> holder, Outcome outcome) {
    boolean again = true;
    while (again) {
      try {
        follow(follower, holder, outcome);
        again = false;
      } catch (RuntimeException | Error e) {
        again = engine.tasks().pause();
      }
    }
  }

  /** The user's code has returned; until now its id was not to run again, whatever its outcome. */
  public void handled(InFlightMessage<M> item) {
    item.endHandling();
    if (!item.unfinished()) {
      release(item);
    }
  }

  private void release(InFlightMessage<M> item) {
    if (item.markable) {
      running.release(item.requiredKey(), item);
    }
  }

  /**
   * A sink that throws has not taken the outcome: the adapter will not acknowledge the message, and
   * it comes again.
   */
  private static <M> void handOn(InFlightMessage<M> item, Outcome outcome) {
    try {
      item.batch.sink.accept(item.index, outcome);
    } catch (RuntimeException | Error e) {
      LOG.error(
          "The sink threw at the outcome {} of {}",
          outcome,
          item.incoming.coordinates(),
          Descriptions.loggable(e));
    }
  }

  /**
   * The message that this one waited for has its outcome. One that is dead may have been brought
   * back since the store said so, and this may be it: only the store knows.
   */
  private void follow(InFlightMessage<M> follower, InFlightMessage<?> holder, Outcome outcome) {
    if (outcome instanceof Deferred deferred) {
      finish(follower, Deferrals.behind(deferred.after()));
    } else if (holder.isWithoutMark() || outcome instanceof Outcome.DeadLettered) {
      finish(follower, Deferrals.behind(Duration.ZERO)); // it has to ask for the mark itself
    } else if (follower.fingerprint.conflictsWith(holder.fingerprint)) {
      engine.tasks().work(List.of(follower), () -> engine.standing().conflicts(follower));
    } else {
      finish(follower, duplicateOf(outcome));
    }
  }

  private static Outcome duplicateOf(Outcome first) {
    if (first instanceof Outcome.Executed executed) {
      return new Outcome.Duplicate(executed.result());
    }
    return first instanceof Outcome.Unprotected unprotected
        ? new Outcome.Duplicate(unprotected.result())
        : first;
  }

  /**
   * Defers items that have not started; claims among them are released before their outcome is
   * handed on.
   */
  public void giveUp(Collection<InFlightMessage<M>> items, Outcome because) {
    for (InFlightMessage<M> item : items) {
      carryOutForSure(item, item.giveUp(because));
    }
  }

  /** Repeats it while it throws: an item that was given up once is not given up again. */
  private void carryOutForSure(InFlightMessage<M> item, InFlightMessage.GivenUp todo) {
    boolean again = true;
    while (again) {
      try {
        carryOut(item, todo);
        again = false;
      } catch (RuntimeException | Error e) {
        again = engine.tasks().pause();
      }
    }
  }

  public void carryOut(InFlightMessage<M> item, InFlightMessage.GivenUp todo) {
    switch (todo) {
      case NOTHING -> {}
      case FINISH -> finish(item, item.givenUpFor().orElseThrow());
      case RELEASE ->
        engine.settler().settle(item, item.givenBack(), item.givenUpFor().orElseThrow());
    }
  }
}
