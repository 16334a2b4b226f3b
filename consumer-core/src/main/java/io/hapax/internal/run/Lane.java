package io.hapax.internal.run;

import io.hapax.OutcomeProbe.Answer;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.claim.Suspects;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Suspect;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The messages of one submission in one lane, run one after the other once those of earlier
 * submissions have passed. At most one thread is in it at a time: it is either queued to a worker,
 * running, or parked until a message elsewhere is finished.
 */
final class Lane<M> extends OpenLane.Part<M> {

  private enum Turn {
    NEXT,
    PARKED,
    STOPPED
  }

  private final Lanes<M> lanes;
  private final Runnable atTurn;
  private final Consumer<InFlightMessage<M>> beforeProbe;

  /** Whether the claims of all of its messages are answered. */
  private volatile boolean answered;

  /** Whether it was queued for the first time. The lock of this guards it. */
  private boolean opened;

  private int cursor;
  private boolean askedSolo;

  /** Whether the message at the cursor leaves the gate of suspects when it finishes. */
  private boolean leavesGate;

  /** The answer of the probe that was called for the message at the cursor. */
  private Optional<Answer> probed = Optional.empty();

  Lane(
      Lanes<M> lanes,
      OpenLane lane,
      List<InFlightMessage<M>> messages,
      Runnable atTurn,
      Consumer<InFlightMessage<M>> beforeProbe) {
    super(lane, messages);
    this.lanes = lanes;
    this.atTurn = atTurn;
    this.beforeProbe = beforeProbe;
  }

  /**
   * Once all of its messages are answered, queues the lane to a worker, as soon as its turn has
   * come. What is behind a message that is known to be busy is given up at once. Called by the
   * claim attempt of its submission, which is at one place at a time.
   */
  void openOnceAnswered() {
    if (!answered) {
      if (messages.stream().anyMatch(InFlightMessage::asking)) {
        return;
      }
      var unused = stopsAtFirst(0, messages.size(), Lane::knownStop);
      answered = true;
    }
    turn();
  }

  private static Optional<Deferred> knownStop(InFlightMessage<?> message) {
    return message.answer() instanceof ClaimAnswer.Busy busy
        ? message.stopsAt(Deferrals.busy(busy.remaining()))
        : message.expectedStop();
  }

  @Override
  protected void turn() {
    if (!answered && hasTurn()) {
      atTurn.run();
    }
    if (open()) {
      queue();
    }
  }

  private synchronized boolean open() {
    boolean first = answered && !opened && hasTurn();
    opened |= first;
    return first;
  }

  @Override
  protected void over() {
    answered = true; // if its turn is still to come, it passes then
    super.over();
  }

  private void queue() {
    InFlightMessage<M> next = messages.get(Math.min(cursor, messages.size() - 1));
    lanes.tasks().queue(next, lanes.tasks().guarded(messages, this::advance));
  }

  private void advance() {
    while (cursor < messages.size()) {
      Turn turn = turn(messages.get(cursor));
      if (turn == Turn.PARKED) {
        return;
      }
      cursor++;
      leavesGate = false;
      probed = Optional.empty();
      if (turn == Turn.STOPPED) {
        return;
      }
      if (yields()) {
        queue();
        return;
      }
    }
    pass();
  }

  /** Returns whether messages of other lanes may come before the next one on the same thread. */
  private boolean yields() {
    return cursor < messages.size() && messages.get(cursor).submission.runsOnCallerThread();
  }

  private Turn turn(InFlightMessage<M> message) {
    if (!message.isAnswered() && message.markable) {
      return behindItsOwnId(message);
    }
    if (askedSolo) {
      askedSolo = false;
      return answered(message);
    }
    if (message.answer() instanceof Suspect && message.givenUpFor().isEmpty()) {
      return suspected(message);
    }
    return answered(message);
  }

  /** Runs a message that may run. A message that waits for a probe leaves the gate of suspects. */
  private Turn answered(InFlightMessage<M> message) {
    Suspects<M> suspects = lanes.suspects();
    if (probed.isEmpty() && lanes.start().needsProbe(message)) {
      suspects.leave(message);
      beforeProbe.accept(message);
      lanes.start().probe(message, this::continueWith);
      return Turn.PARKED;
    }
    if (solo(message) && !suspects.enter(message, this::queue)) {
      return Turn.PARKED;
    }
    if (!message.start()) {
      suspects.leave(message);
      return stopIfDeferred(message);
    }
    return stopAt(lanes.start().runOrEnd(message, probed, this::together));
  }

  private void continueWith(Answer answer) {
    probed = Optional.of(answer);
    queue();
  }

  private static boolean solo(InFlightMessage<?> message) {
    return message.answer() instanceof Acquired acquired
        && acquired.claim().attempt().solo();
  }

  private List<ClaimedMessage<M>> together(ClaimedMessage<M> first) {
    List<ClaimedMessage<M>> together =
        lanes.start().together(first, messages.subList(cursor + 1, messages.size()));
    cursor += together.size() - 1;
    return together;
  }

  /**
   * Waits for another message with the same id in this process. An earlier message of this lane
   * counts, too: after a DEAD one, this message is redelivered.
   */
  private Turn behindItsOwnId(InFlightMessage<M> message) {
    if (message.whenFinished(this::queue)) {
      return Turn.PARKED;
    }
    return stopIfDeferred(message);
  }

  /** Claims a suspect once the gate admits it. */
  private Turn suspected(InFlightMessage<M> message) {
    if (!leavesGate && !message.whenFinished(() -> lanes.suspects().leave(message))) {
      return stopIfDeferred(message);
    }
    leavesGate = true;
    if (!lanes.suspects().enter(message, this::queue)) {
      return Turn.PARKED;
    }
    askedSolo = true;
    lanes.claims().claimSolo(message, () -> continueOnceAnswered(message));
    return Turn.PARKED;
  }

  private void continueOnceAnswered(InFlightMessage<M> message) {
    if (!message.asking()) {
      queue();
    }
  }

  private Turn stopIfDeferred(InFlightMessage<M> message) {
    Optional<Outcome> outcome = message.outcome().or(message::givenUpFor);
    return outcome.orElse(null) instanceof Deferred deferred
        ? stopAt(Optional.of(deferred))
        : Turn.NEXT;
  }

  /** Stops the lane at a deferral, unless the lane keeps no order. */
  private Turn stopAt(Optional<Deferred> deferral) {
    Optional<Deferred> stop = deferral.flatMap(messages.get(cursor)::stopsAt);
    if (stop.isEmpty()) {
      return Turn.NEXT;
    }
    stopBehind(cursor, stop.get());
    return Turn.STOPPED;
  }
}
