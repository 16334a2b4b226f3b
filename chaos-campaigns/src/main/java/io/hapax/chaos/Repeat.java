package io.hapax.chaos;

import io.hapax.demo.LedgerRow;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An effect that followed another effect of the same order.
 *
 * @param before the earlier effect
 * @param repeat the effect with the next higher token
 */
record Repeat(LedgerRow before, LedgerRow repeat) {

  /**
   * Returns the violation; empty if a counted recovery after a disruption explains this repeat.
   *
   * @param disruptions the disruptions of the consumer that wrote the earlier effect
   */
  Optional<String> violation(Set<Recovery> recoveries, List<Disruption> disruptions) {
    if (repeat.token() == before.token()) {
      return unexplained("both effects carry one token");
    } else if (!repeat.recovery()) {
      return unexplained("it was not flagged as a recovery");
    } else if (!recoveries.contains(new Recovery(repeat.orderId(), repeat.token()))) {
      return unexplained("no recovery of that order and token was counted");
    } else if (disruptions.isEmpty()) {
      return unexplained(
          "no kill of consumer " + before.consumer() + " or of its store explains it");
    } else if (disruptions.stream().noneMatch(this::isExplainedBy)) {
      return unexplained("it was not in doubt when "
          + disruptions.stream().map(Disruption::what).collect(Collectors.joining(" and when ")));
    }
    return Optional.empty();
  }

  /** Returns whether the disruption may cause a second effect of this order. */
  boolean isExplainedBy(Disruption disruption) {
    return disruption.mayRepeat().contains(repeat.orderId());
  }

  /** Returns the violation if the mark was DONE before. No disruption explains that. */
  String ofCompleted() {
    return because("consumer " + before.consumer() + " had completed it, and its mark was DONE");
  }

  private Optional<String> unexplained(String why) {
    return Optional.of(because(why));
  }

  private String because(String why) {
    return repeat.orderId() + " took effect again under token " + repeat.token() + ": " + why;
  }
}
