package io.hapax.chaos;

import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialLane;
import io.hapax.console.trial.TrialStep;
import io.hapax.console.trial.TrialStep.Kind;
import io.hapax.console.trial.TrialStory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The story of one action. It counts only the orders of that action. Thread-safe. */
final class LiveStory {

  private final TrialAction action;
  private final Instant at;
  private final List<TrialStep> begun = new ArrayList<>();
  private final LaneStory hapax;
  private final LaneStory loop;
  private Set<String> orders = Set.of();

  /** When the last step of the action was done. Only what was read later may be final. */
  private Optional<Long> doneNanos = Optional.empty();

  LiveStory(TrialAction action, Instant at) {
    this.action = action;
    this.at = at;
    this.hapax = new LaneStory(TrialLane.HAPAX, isOfPayments());
    this.loop = new LaneStory(TrialLane.LOOP, isOfPayments());
  }

  boolean isOfPayments() {
    return action == TrialAction.GATEWAY_TIMEOUT;
  }

  private LaneStory of(TrialLane lane) {
    return lane == TrialLane.HAPAX ? hapax : loop;
  }

  /** Adds a step that both lanes share. */
  synchronized void begin(TrialStep step) {
    begun.add(step);
  }

  synchronized void counts(Collection<String> ids) {
    orders = Set.copyOf(ids);
  }

  /** Adds what was done to a consumer, and how others take over what it had in flight. */
  synchronized void hit(
      Kind kind, Crew.Hit hit, int inFlight, Supplier<Optional<TrialStep>> takenOver) {
    of(hit.lane()).add(TrialStep.of(kind, hit.name(), inFlight), takenOver);
  }

  synchronized void expect(TrialLane lane, Kind kind, Duration after, Object... names) {
    of(lane).expect(kind, System.nanoTime() + after.toNanos(), names);
  }

  synchronized void waitFor(Kind kind) {
    hapax.waitFor(TrialStep.of(kind));
    loop.waitFor(TrialStep.of(kind));
  }

  /** Ends the action itself. What comes of it is judged from now on. */
  synchronized void done() {
    doneNanos = Optional.of(System.nanoTime());
    waitFor(Kind.CHECKING);
  }

  synchronized void fail(String reason) {
    Stream.of(hapax, loop).filter(LaneStory::isOpen).forEach(lane -> lane.fail(reason));
  }

  synchronized void judge(TrialLane lane, LaneReading reading) {
    if (of(lane).isOpen()
        && doneNanos.filter(it -> reading.beganNanos() - it > 0).isPresent()) {
      of(lane).judge(reading, orders);
    }
  }

  synchronized boolean isOpen() {
    return hapax.isOpen() || loop.isOpen();
  }

  synchronized TrialStory show(long nanos) {
    return new TrialStory(
        action, at, List.copyOf(begun), List.of(hapax.show(nanos), loop.show(nanos)));
  }
}
