package io.hapax.internal.run;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import io.hapax.internal.message.Outcomes;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The place of a submission's messages in their lane. A deferral stops what is behind it, if the
 * lane keeps an order: the later messages of this part, and all later parts.
 */
abstract class LanePart<M> implements OpenLane.Part {

  final List<InFlightMessage<M>> messages;
  private final OpenLane lane;
  private final Outcomes<M> outcomes;

  LanePart(OpenLane lane, List<InFlightMessage<M>> messages, Outcomes<M> outcomes) {
    this.lane = lane;
    this.messages = messages;
    this.outcomes = outcomes;
  }

  /** Appends it to its lane, which it leaves with its submission at the latest. */
  final void append() {
    messages.get(0).submission.whenOver(this::givenUpOrOver);
    lane.append(this);
  }

  final boolean hasTurn() {
    return lane.isTurnOf(this);
  }

  @Override
  public void giveUp(Deferred because) {
    outcomes.giveUp(messages, because);
  }

  /**
   * Stops the lane behind messages that were given up, also if its turn is still to come. When the
   * submission has ended, the lane ends, even if an exception has ended its work: the messages
   * behind it must not wait for ever.
   */
  final void givenUpOrOver() {
    boolean over = messages.get(0).submission.over(); // first, or a deferral might be missed
    if (!stopsAtFirst(0, messages.size(), InFlightMessage::expectedStop) && over) {
      over();
    }
  }

  /** Passes the turn on: its submission has ended. */
  void over() {
    if (hasTurn()) {
      pass();
    }
  }

  /** Stops behind the first of these messages that stops the lane; returns whether there is one. */
  final boolean stopsAtFirst(
      int from, int to, Function<InFlightMessage<M>, Optional<Deferred>> stops) {
    for (int i = from; i < to; i++) {
      Optional<Deferred> stop = stops.apply(messages.get(i));
      if (stop.isPresent()) {
        stopBehind(i, stop.get());
        return true;
      }
    }
    return false;
  }

  /** Gives up the messages behind a position, and all parts behind this one. */
  final void stopBehind(int index, Deferred stop) {
    Deferred because = Deferrals.behind(stop.after());
    outcomes.giveUp(messages.subList(index + 1, messages.size()), because);
    lane.stopped(this, because);
  }

  /** Lets the next part have its turn. */
  final void pass() {
    lane.passed(this);
  }
}
