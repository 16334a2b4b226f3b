package io.hapax.chaos;

import io.hapax.console.trial.TrialOrder;
import io.hapax.console.trial.TrialStep;
import io.hapax.console.trial.TrialStep.Kind;
import io.hapax.console.trial.TrialTotals;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What was read of a lane: first its processes, then its lag, then its orders.
 *
 * @param beganNanos when the reading began
 * @param running whether all processes of the lane read
 * @param lag the number of messages that its group has not acknowledged; empty if it is unknown
 * @param orders all orders
 */
record LaneReading(long beganNanos, boolean running, OptionalLong lag, List<TrialOrder> orders) {

  /** Returns why the totals of some orders may still change; empty if they are final. */
  Optional<TrialStep> waitsFor(TrialTotals totals) {
    if (!running) {
      return Optional.of(TrialStep.of(Kind.STARTING));
    } else if (totals.waiting() > 0) {
      return Optional.of(TrialStep.of(Kind.WAITING, totals.waiting()));
    } else if (lag.isEmpty()) {
      return Optional.of(TrialStep.of(Kind.CHECKING));
    }
    return lag.getAsLong() == 0
        ? Optional.empty()
        : Optional.of(TrialStep.of(Kind.UNACKNOWLEDGED, lag.getAsLong()));
  }
}
