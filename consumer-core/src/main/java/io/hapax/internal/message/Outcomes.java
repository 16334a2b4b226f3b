package io.hapax.internal.message;

import io.hapax.ReceiverHealth;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.runtime.FailStop;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finishes messages, each exactly once, and notifies everything that waits for their outcome. */
public final class Outcomes<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);

  /** The reactions of other parts of the engine to an outcome, for the messages of a submission. */
  public interface Reactions<M> {

    Outcomes<M> outcomes();

    /** Takes over a duplicate, if the duplicate handler is called before the message finishes. */
    boolean answers(InFlightMessage<M> message, Outcome outcome);

    /** Finishes a message whose payload differs from the one that was just handled. */
    void conflicts(InFlightMessage<M> follower);

    /** Gives back the claim of a message that was given up, and then finishes the message. */
    void release(InFlightMessage<M> message, Outcome outcome);
  }

  final Environment env;
  private final InFlightIds ids;
  private final Events events;
  private final BlockedMessages blocked;
  private final WaitingLanes waitingLanes;
  private final Submissions<M> submissions;

  public Outcomes(
      Environment env,
      InFlightIds ids,
      Events events,
      BlockedMessages blocked,
      Submissions<M> submissions) {
    this.env = env;
    this.ids = ids;
    this.events = events;
    this.blocked = blocked;
    this.waitingLanes = new WaitingLanes(env.ticker());
    this.submissions = submissions;
  }

  public List<ReceiverHealth.WaitingMessage> waiting() {
    return waitingLanes.waiting();
  }

  public void finish(InFlightMessage<M> message, Outcome outcome) {
    if (!message.submission.reactions.answers(message, outcome)) {
      finishAnswered(message, outcome);
    }
  }

  /** Finishes a message, unless it is finished, without a call of the duplicate handler. */
  public void finishAnswered(InFlightMessage<M> message, Outcome outcome) {
    if (message.finish(outcome)) { // no later call passes it on, so whatever this throws is fatal
      env.run(() -> passOn(message, outcome));
    }
  }

  private void passOn(InFlightMessage<M> message, Outcome outcome) {
    if (!message.isHandling()) {
      ids.release(message);
    }
    blocked.ended(message, outcome);
    waitingLanes.ended(message, outcome);
    passToSink(message, outcome);
    continueAfter(message, outcome);
    if (message.submission.countDown(outcome)) {
      ended(message.submission);
    }
  }

  private void ended(ActiveSubmission<M> submission) {
    submissions.ended(submission);
    if (!submission.broken()) {
      events.submissionSucceeded();
    }
    submission.runActions();
  }

  private void continueAfter(InFlightMessage<M> message, Outcome outcome) {
    events.outcome(message.key(), message.incoming.coordinates(), outcome);
    for (InFlightMessage<M> follower : message.followers()) {
      follower.submission.outcomes.follow(follower, message, outcome);
    }
    Runnable action = message.finishedAction();
    if (action != null) {
      action.run();
    }
  }

  /** Records that the user's code has returned, and frees the id if the message is finished. */
  public void handled(InFlightMessage<M> message) {
    message.endHandling();
    if (!message.unfinished()) {
      ids.release(message);
    }
  }

  /**
   * Passes the outcome to the sink. If the sink throws, the adapter does not acknowledge the
   * message and the broker redelivers it.
   */
  private static <M> void passToSink(InFlightMessage<M> message, Outcome outcome) {
    try {
      message.submission.sink.accept(message.index, outcome);
    } catch (Throwable e) { // one in another language may throw any
      FailStop.throwIfOfTheProcess(e);
      LOG.error(
          "The sink threw at the outcome {} of {}",
          outcome,
          message.incoming.coordinates(),
          Descriptions.loggable(e));
    }
  }

  /**
   * Finishes a follower by the outcome of its holder. After a DEAD holder the follower asks the
   * store itself, because it may be the redriven message.
   */
  private void follow(InFlightMessage<M> follower, InFlightMessage<?> holder, Outcome outcome) {
    if (outcome instanceof Deferred deferred) {
      finish(follower, Deferrals.behind(deferred.after()));
    } else if (holder.isWithoutMark() || outcome instanceof Outcome.DeadLettered) {
      finish(follower, Deferrals.behind(Duration.ZERO)); // its redelivery claims the mark itself
    } else if (follower.fingerprint.conflictsWith(holder.fingerprint)) {
      follower.submission.reactions.conflicts(follower);
    } else {
      finish(follower, duplicateOf(outcome));
    }
  }

  private static Outcome duplicateOf(Outcome first) {
    return first instanceof Outcome.Executed executed
        ? new Outcome.Duplicate(executed.result())
        : first;
  }

  /** Defers messages that have not started. A claim is given back before its message finishes. */
  public void giveUp(Collection<InFlightMessage<M>> messages, Outcome because) {
    for (InFlightMessage<M> message : messages) {
      carryOut(message, message.giveUp(because));
    }
  }

  public void carryOut(InFlightMessage<M> message, InFlightMessage.GivenUp todo) {
    switch (todo) {
      case NOTHING -> {}
      case FINISH -> finish(message, message.givenUpFor().orElseThrow());
      case RELEASE ->
        message.submission.reactions.release(message, message.givenUpFor().orElseThrow());
    }
  }
}
