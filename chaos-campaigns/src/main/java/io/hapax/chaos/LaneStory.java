package io.hapax.chaos;

import io.hapax.console.trial.TrialLane;
import io.hapax.console.trial.TrialLevel;
import io.hapax.console.trial.TrialOrder;
import io.hapax.console.trial.TrialStep;
import io.hapax.console.trial.TrialStep.Kind;
import io.hapax.console.trial.TrialStory;
import io.hapax.console.trial.TrialTotals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What becomes of an action in one lane, until the result is final. */
final class LaneStory {

  private final TrialLane lane;
  private final boolean payments;
  private final List<TrialStep> steps = new ArrayList<>();
  private final List<Expected> expected = new ArrayList<>();
  private Supplier<Optional<TrialStep>> takenOver = Optional::empty;
  private TrialStep last = TrialStep.of(Kind.HOLDING);
  private TrialLevel level = TrialLevel.PENDING;

  private record Expected(Kind kind, List<Object> names, long nanos) {

    private TrialStep in(long left) {
      Object seconds = Duration.ofNanos(left).plusMillis(999).toSeconds();
      return new TrialStep(
          kind, Stream.concat(names.stream(), Stream.of(seconds)).toList());
    }
  }

  LaneStory(TrialLane lane, boolean payments) {
    this.lane = lane;
    this.payments = payments;
  }

  /** Adds a step. {@code takenOver} returns how others take over what was in flight. */
  void add(TrialStep step, Supplier<Optional<TrialStep>> takenOver) {
    steps.add(step);
    this.takenOver = takenOver;
  }

  void expect(Kind kind, long nanos, Object... names) {
    expected.add(new Expected(kind, List.of(names), nanos));
  }

  void waitFor(TrialStep step) {
    last = step;
  }

  /** Judges the orders of the action, if the reading is final. */
  void judge(LaneReading reading, Set<String> ids) {
    List<TrialOrder> orders =
        reading.orders().stream().filter(it -> ids.contains(it.id())).toList();
    TrialTotals totals = TrialTotals.of(lane, orders);
    Optional<TrialStep> reason = reading.waitsFor(totals);
    last = reason.orElseGet(() -> result(totals));
    if (reason.isEmpty()) {
      end(totals.level());
    }
  }

  private TrialStep result(TrialTotals totals) {
    Kind kind = totals.level() == TrialLevel.EXPLAINED ? Kind.BOOKED_EXPLAINED : Kind.BOOKED;
    return TrialStep.of(payments ? Kind.CHARGED : kind, totals.repeated(), totals.orders());
  }

  void fail(String reason) {
    last = TrialStep.of(Kind.FAILED, reason);
    end(TrialLevel.BAD);
  }

  private void end(TrialLevel result) {
    level = result;
    takenOver.get().ifPresent(steps::add);
    takenOver = Optional::empty;
    expected.clear();
  }

  boolean isOpen() {
    return level == TrialLevel.PENDING;
  }

  TrialStory.Part show(long nanos) {
    TrialStep shown = expected.stream()
        .filter(it -> it.nanos() - nanos > 0)
        .findFirst()
        .map(it -> it.in(it.nanos() - nanos))
        .orElse(last);
    return new TrialStory.Part(
        lane,
        level,
        Stream.of(steps.stream(), takenOver.get().stream(), Stream.of(shown))
            .flatMap(it -> it)
            .toList());
  }
}
