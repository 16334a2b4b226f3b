package io.hapax.console.view;

import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialState;
import io.hapax.console.trial.TrialTotals;
import java.util.List;

/** The view of a demo that can be disturbed. */
public record TrialView(List<TrialAction> actions, TrialState state) {

  /** {@return the style of the totals of one kind of consumer: good, warn or bad} */
  public static String level(TrialTotals totals) {
    if (totals.twice() == 0) {
      return "good";
    }
    return totals.twice() == totals.explained() ? "warn" : "bad";
  }

  /** Judges an order's effects: the end of the key of its text, none, once, explained or twice. */
  public static String verdict(long effects, boolean explained) {
    if (effects == 0) {
      return "none";
    } else if (effects == 1) {
      return "once";
    }
    return explained ? "explained" : "twice";
  }
}
