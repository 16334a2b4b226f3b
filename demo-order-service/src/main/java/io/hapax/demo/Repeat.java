package io.hapax.demo;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An effect that followed another effect of the same order.
 *
 * @param before the earlier effect
 * @param repeat the later one, by token
 */
record Repeat(LedgerRow before, LedgerRow repeat) {

  /** Returns the violation; empty if a counted recovery after a disruption explains this repeat. */
  Optional<String> violation(Set<Recovery> recoveries, Map<Long, Disruption> disruptions) {
    Disruption disruption = disruptions.get(before.consumer());
    if (repeat.token() == before.token()) {
      return unexplained("both effects carry one token");
    } else if (!repeat.recovery()) {
      return unexplained("it was not flagged as a recovery");
    } else if (!recoveries.contains(new Recovery(repeat.orderId(), repeat.token()))) {
      return unexplained("no recovery of that order and token was counted");
    } else if (disruption == null) {
      return unexplained(
          "no kill of consumer " + before.consumer() + " or of its store explains it");
    } else if (!disruption.mayRepeat().contains(repeat.orderId())) {
      return unexplained("it was not in doubt when " + disruption.what());
    }
    return Optional.empty();
  }

  private Optional<String> unexplained(String why) {
    return Optional.of(
        repeat.orderId() + " took effect again under token " + repeat.token() + ": " + why);
  }
}
