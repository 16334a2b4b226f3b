package io.hapax.internal.message;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.Environment;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives messages their outcomes, each exactly once, and with it all that waits for them. */
public final class Outcomes<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);

  /** What other parts of the engine do because of an outcome. */
  public interface Reactions<M> {

    /** Takes over a duplicate that the user's code hears of before it has its outcome. */
    boolean answers(InFlightMessage<M> item, Outcome outcome);

    /** Finishes a message whose payload differs from the one that was just handled. */
    void conflicts(InFlightMessage<M> follower);

    /** Releases the claim of a message that was given up, and then finishes the message. */
    void release(InFlightMessage<M> item, Verdict verdict, Outcome outcome);
  }

  private final Environment env;
  private final InFlightIds ids;
  private final Events events;
  private final BlockedMessages blocked;
  private final WaitingLanes waitingLanes;
  private final Submissions<M> submissions;
  private @Nullable Reactions<M> reactions;

  public Outcomes(
      Environment env,
      InFlightIds ids,
      Events events,
      BlockedMessages blocked,
      WaitingLanes waitingLanes,
      Submissions<M> submissions) {
    this.env = env;
    this.ids = ids;
    this.events = events;
    this.blocked = blocked;
    this.waitingLanes = waitingLanes;
    this.submissions = submissions;
  }

  /** Connects the parts that react; called once, before the first message. */
  public void connect(Reactions<M> parts) {
    reactions = parts;
  }

  private Reactions<M> reactions() {
    return Objects.requireNonNull(reactions, "reactions");
  }

  /** Gives an item its outcome, unless it has one. */
  public void finish(InFlightMessage<M> item, Outcome outcome) {
    if (!reactions().answers(item, outcome)) {
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
      blocked.ended(item, outcome);
      waitingLanes.ended(item, outcome);
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
          ended(item.batch);
        }
      }
    }
  }

  private void ended(ActiveSubmission<M> submission) {
    submissions.ended(submission);
    if (!submission.broken()) {
      events.whole();
    }
  }

  private void goOnAfter(InFlightMessage<M> item, Outcome outcome) {
    try {
      events.outcome(item.key(), item.incoming.coordinates(), outcome);
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
        again = env.threads().pauseForMemory();
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
      ids.release(item.requiredKey(), item);
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
      reactions().conflicts(follower);
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
        again = env.threads().pauseForMemory();
      }
    }
  }

  public void carryOut(InFlightMessage<M> item, InFlightMessage.GivenUp todo) {
    switch (todo) {
      case NOTHING -> {}
      case FINISH -> finish(item, item.givenUpFor().orElseThrow());
      case RELEASE ->
        reactions().release(item, item.givenBack(), item.givenUpFor().orElseThrow());
    }
  }
}
