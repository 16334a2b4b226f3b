package io.hapax.console.view;

import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialLane;
import io.hapax.console.trial.TrialLevel;
import io.hapax.console.trial.TrialOrder;
import io.hapax.console.trial.TrialState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The view of a demo that can be disturbed.
 *
 * @param notice why the last action was refused or failed
 */
public record TrialView(List<TrialAction> actions, TrialState state, Optional<Notice> notice) {

  private static final Duration FRESH = Duration.ofSeconds(3);

  /** {@return whether the figures are old, because the database or the broker does not answer} */
  public boolean old() {
    return state.age().compareTo(FRESH) >= 0;
  }

  /** {@return the classes of a result} */
  public static String style(TrialLevel level) {
    return switch (level) {
      case PENDING -> "warn pending";
      case GOOD -> "good";
      case EXPLAINED -> "warn";
      case BAD -> "bad";
    };
  }

  /** Judges an order in one lane: the end of the key of its text, none, once, explained or more. */
  public static String verdict(TrialOrder order, TrialLane lane) {
    long booked = order.booked(lane);
    if (booked <= 1) {
      return booked == 0 ? "none" : "once";
    }
    return order.explained(lane) ? "explained" : "more";
  }
}
