package io.hapax.internal.run;

import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides which messages of one transaction run, by the answers to their claims. An acquired
 * message does not run if an earlier one of its lane does not run.
 */
final class BatchPlan<M> {

  enum Turn {
    /** It was acquired and its lane reaches it. */
    RUNS,
    /** It was acquired, but its lane stops before it. */
    BEHIND,
    /** It was acquired, but its attempts are used up or it is too old. */
    BARRED,
    /** It was not acquired: the state of its mark decides. */
    STANDS
  }

  record Place<M>(InFlightMessage<M> message, ClaimAnswer answer, Turn turn) {}

  private final List<Place<M>> places = new ArrayList<>();
  private final List<ClaimedMessage<M>> running = new ArrayList<>();

  BatchPlan(
      List<InFlightMessage<M>> messages,
      List<ClaimAnswer> answers,
      Predicate<ClaimedMessage<M>> barred) {
    BlockedLanes stops = new BlockedLanes();
    for (int i = 0; i < messages.size(); i++) {
      InFlightMessage<M> message = messages.get(i);
      ClaimAnswer answer = answers.get(i);
      Turn turn = Turn.STANDS;
      if (answer instanceof Acquired acquired) {
        ClaimedMessage<M> claimed = new ClaimedMessage<>(message, acquired);
        turn =
            barred.test(claimed) ? Turn.BARRED : stops.stopped(message) ? Turn.BEHIND : Turn.RUNS;
        if (turn == Turn.RUNS) {
          running.add(claimed);
        }
      }
      boolean settled = answer instanceof ClaimAnswer.Done || answer instanceof ClaimAnswer.Dead;
      if (turn != Turn.RUNS && !settled) {
        stops.at(message, Optional.of(BlockedLanes.SHORTLY));
      }
      places.add(new Place<>(message, answer, turn));
    }
  }

  List<Place<M>> places() {
    return places;
  }

  boolean isOf(List<ClaimAnswer> answers) {
    return places.stream().map(Place::answer).toList().equals(answers);
  }

  List<ClaimedMessage<M>> running() {
    return running;
  }

  List<InFlightMessage<M>> others() {
    return places.stream()
        .filter(place -> place.turn() != Turn.RUNS)
        .map(Place::message)
        .toList();
  }

  /** Returns whether the transaction acquired a message that must not run, and must not commit. */
  boolean outOfTurn() {
    return places.stream()
        .anyMatch(place -> place.turn() == Turn.BEHIND || place.turn() == Turn.BARRED);
  }
}
