package io.hapax.demo.live;

import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialLane;
import io.hapax.console.trial.TrialStep;
import io.hapax.console.trial.TrialStep.Kind;
import io.hapax.console.trial.TrialStory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The story of one action. It counts only the orders of that action. Thread-safe. */
final class LiveStory {

  private final TrialAction action;
  private final Instant at;
  private final List<TrialStep> begun = new ArrayList<>();
  private final Map<TrialLane, LaneStory> lanes = new EnumMap<>(TrialLane.class);
  private Set<String> orders = Set.of();

  /** When the last step of the action was done. Only what was read later may be final. */
  private Optional<Long> doneNanos = Optional.empty();

  LiveStory(TrialAction action, Instant at) {
    this.action = action;
    this.at = at;
    for (TrialLane lane : TrialLane.values()) {
      lanes.put(lane, new LaneStory(lane, isOfPayments()));
    }
  }

  boolean isOfPayments() {
    return action == TrialAction.GATEWAY_TIMEOUT;
  }

  private LaneStory of(TrialLane lane) {
    return lanes.computeIfAbsent(lane, it -> new LaneStory(it, isOfPayments()));
  }

  /** Adds a step that both lanes share. */
  synchronized void begin(TrialStep step) {
    begun.add(step);
  }

  /** Sets the orders of the action. */
  synchronized void counts(Collection<String> ids) {
    orders = Set.copyOf(ids);
  }

  /** Adds what was done to a consumer, and how others take over what it had in flight. */
  synchronized void hit(
      Kind kind, Crew.Hit hit, int inFlight, Supplier<Optional<TrialStep>> takenOver) {
    of(hit.lane()).add(TrialStep.of(kind, hit.name(), inFlight), takenOver);
  }

  /** Expects an event in a lane after a time. */
  synchronized void expect(TrialLane lane, Kind kind, Duration after, Object... names) {
    of(lane).expect(kind, System.nanoTime() + after.toNanos(), names);
  }

  synchronized void waitFor(Kind kind) {
    lanes.values().forEach(lane -> lane.waitFor(TrialStep.of(kind)));
  }

  /** Ends the action itself. What comes of it is judged from now on. */
  synchronized void done() {
    doneNanos = Optional.of(System.nanoTime());
    waitFor(Kind.CHECKING);
  }

  synchronized void fail(String reason) {
    lanes.values().stream().filter(LaneStory::isOpen).forEach(lane -> lane.fail(reason));
  }

  /** Judges a lane, unless it has its result. */
  synchronized void judge(TrialLane lane, Reading reading) {
    if (of(lane).isOpen()
        && doneNanos.filter(it -> reading.beganNanos() - it > 0).isPresent()) {
      of(lane).judge(reading, orders);
    }
  }

  synchronized boolean isOpen() {
    return lanes.values().stream().anyMatch(LaneStory::isOpen);
  }

  synchronized TrialStory show(long nanos) {
    return new TrialStory(
        action, at, begun, lanes.values().stream().map(lane -> lane.show(nanos)).toList());
  }
}
