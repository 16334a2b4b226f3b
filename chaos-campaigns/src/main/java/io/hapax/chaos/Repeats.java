package io.hapax.chaos;

import io.hapax.demo.LedgerRow;
import io.hapax.demo.OrderChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks in leased mode that the evidence of a run explains each repeated effect. */
record Repeats(CampaignVerdict.Evidence evidence) {

  /**
   * The limit of effects in doubt after one kill. One handler runs for each partition. Some more
   * complete during a settlement; each needs a round trip to the same database, so they are a few
   * for each partition. Sixteen is far above every figure that was seen, and far below a poll. A
   * consumer that settles too seldom would leave a whole poll in doubt.
   */
  static final int MAX_IN_DOUBT = 16 * OrderChannel.PARTITIONS;

  List<String> unexplained(Collection<List<LedgerRow>> repeated) {
    List<String> violations = new ArrayList<>();
    repeated.forEach(effects -> violations.addAll(violationsOf(effects)));
    evidence.disruptions().forEach(each -> violations.addAll(violationsOf(each)));
    violations.addAll(LedgerSnapshot.repeated(evidence.snapshots()));
    return violations;
  }

  private List<String> violationsOf(List<LedgerRow> effects) {
    List<String> violations = new ArrayList<>();
    List<LedgerRow> rows = new ArrayList<>(effects);
    rows.sort(Comparator.comparingLong(LedgerRow::token));
    List<Disruption> left = new ArrayList<>(evidence.disruptions());
    for (int i = 1; i < rows.size(); i++) {
      LedgerRow before = rows.get(i - 1);
      LedgerRow repeat = rows.get(i);
      List<Disruption> causes =
          left.stream().filter(each -> each.consumer() == before.consumer()).toList();
      boolean completed = isCompleted(before, rows.subList(i, rows.size()));
      Optional<String> problem = completed
          ? Optional.of(
              "consumer " + before.consumer() + " had completed it, and its mark was DONE")
          : problem(before, repeat, causes);
      problem.ifPresent(why -> violations.add(
          repeat.orderId() + " took effect again under token " + repeat.token() + ": " + why));
      if (!completed) {
        // A disruption explains one repeat of an order, not two.
        causes.stream()
            .filter(each -> each.mayRepeat().contains(repeat.orderId()))
            .findFirst()
            .ifPresent(left::remove);
      }
    }
    return violations;
  }

  /**
   * Returns why a repeat is a violation; empty if a counted recovery explains it. The disruptions
   * are those of the consumer that wrote the earlier effect.
   */
  private Optional<String> problem(
      LedgerRow before, LedgerRow repeat, List<Disruption> disruptions) {
    if (repeat.token() == before.token()) {
      return Optional.of("both effects carry one token");
    } else if (!repeat.recovery()) {
      return Optional.of("it was not flagged as a recovery");
    } else if (!evidence
        .recoveries()
        .contains(new Reports.Recovery(repeat.orderId(), repeat.token()))) {
      return Optional.of("no recovery of that order and token was counted");
    } else if (disruptions.isEmpty()) {
      return Optional.of(
          "no kill of consumer " + before.consumer() + " or of its store explains it");
    } else if (disruptions.stream().noneMatch(it -> it.mayRepeat().contains(repeat.orderId()))) {
      return Optional.of("it was not in doubt when "
          + disruptions.stream().map(Disruption::what).collect(Collectors.joining(" and when ")));
    }
    return Optional.empty();
  }

  /**
   * Returns whether the consumer of an effect reported it as executed. If the consumer has a later
   * effect of the order, the report may be of that one.
   */
  private boolean isCompleted(LedgerRow effect, List<LedgerRow> later) {
    return evidence
            .completions()
            .getOrDefault(effect.consumer(), Set.of())
            .contains(effect.orderId())
        && later.stream().noneMatch(row -> row.consumer() == effect.consumer());
  }

  private static List<String> violationsOf(Disruption disruption) {
    List<String> violations = new ArrayList<>();
    disruption.inDoubt().stream()
        .filter(id -> !disruption.inFlight().contains(id))
        .sorted()
        .forEach(id -> violations.add(id + " was not DONE when " + disruption.what()
            + ", although its outcome had been reported"));
    Set<String> limited =
        disruption.fault() == FaultKind.KILL ? disruption.mayRepeat() : disruption.inDoubt();
    if (disruption.fault() != FaultKind.STORE_RESTART && limited.size() > MAX_IN_DOUBT) {
      violations.add(limited.size() + " effects were in doubt when " + disruption.what()
          + ", but handlers in flight and one round trip are at most " + MAX_IN_DOUBT);
    }
    return violations;
  }
}
