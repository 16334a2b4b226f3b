package io.hapax.internal.run;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import io.hapax.internal.message.Outcomes;
import io.hapax.mark.ClaimAnswer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The place of a submission's messages in their lane. They are queued once their claims are
 * answered and their turn has come. They are given up if the lane stops before them.
 */
abstract class LanePart<M> implements OpenLane.Part {

  private final OpenLane lane;
  private final List<InFlightMessage<M>> messages;
  private final Outcomes<M> outcomes;
  private final Runnable atTurn;

  /** Whether the claims of all of its messages are answered. */
  private volatile boolean answered;

  /** Whether it was queued for the first time. The lock of this guards it. */
  private boolean opened;

  LanePart(
      OpenLane lane, List<InFlightMessage<M>> messages, Outcomes<M> outcomes, Runnable atTurn) {
    this.lane = lane;
    this.messages = messages;
    this.outcomes = outcomes;
    this.atTurn = atTurn;
  }

  abstract void queue();

  /**
   * Once all of its messages are answered, queues the lane to a worker, as soon as its turn has
   * come. What is behind a message that is known to be busy is given up at once. Called by the
   * claim attempt of its submission, which is at one place at a time.
   */
  final void openOnceAnswered() {
    if (!answered) {
      if (messages.stream().anyMatch(InFlightMessage::asking)) {
        return;
      }
      var unused = stopsAtFirst(LanePart::knownStop);
      answered = true;
    }
    turn();
  }

  /** Stops the lane behind its first message that stops it; returns whether there is one. */
  private boolean stopsAtFirst(Function<InFlightMessage<M>, Optional<Deferred>> stops) {
    for (int i = 0; i < messages.size(); i++) {
      Optional<Deferred> stop = stops.apply(messages.get(i));
      if (stop.isPresent()) {
        giveUpFrom(i + 1, Deferrals.behind(stop.get().after()));
        return true;
      }
    }
    return false;
  }

  private static Optional<Deferred> knownStop(InFlightMessage<?> message) {
    return message.answer() instanceof ClaimAnswer.Busy busy
        ? message.stopsAt(Deferrals.busy(busy.remaining()))
        : message.expectedStop();
  }

  @Override
  public final void turn() {
    if (!answered && lane.isTurnOf(this)) {
      atTurn.run();
    }
    if (open()) {
      queue();
    }
  }

  private synchronized boolean open() {
    boolean first = answered && !opened && lane.isTurnOf(this);
    opened |= first;
    return first;
  }

  @Override
  public final void giveUp(Deferred because) {
    outcomes.giveUp(messages, because);
  }

  /**
   * Stops the lane behind messages that were given up, also if its turn is still to come. When the
   * submission has ended, the lane ends, even if an exception has ended its work: the messages
   * behind it must not wait for ever.
   */
  final void givenUpOrOver() {
    if (!stopsAtFirst(InFlightMessage::expectedStop)
        && messages.get(0).submission.over()) {
      answered = true; // if its turn is still to come, it passes then
      if (lane.isTurnOf(this)) {
        pass();
      }
    }
  }

  /** Lets the next part have its turn. */
  final void pass() {
    lane.passed(this);
  }

  /** Gives up the messages from a position on, and all parts behind this one. */
  final void giveUpFrom(int from, Deferred because) {
    outcomes.giveUp(messages.subList(from, messages.size()), because);
    lane.stopped(this, because);
  }
}
