package io.hapax.chaos;

import io.hapax.demo.LedgerRow;
import io.hapax.demo.OrderChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks in leased mode that the evidence of a run explains each repeated effect. */
final class Repeats {

  /**
   * The limit of effects in doubt after one kill. One handler runs for each partition. Some more
   * complete during a settlement; each needs a round trip to the same database, so they are a few
   * for each partition. Sixteen is far above every figure that was seen, and far below a poll. A
   * consumer that settles too seldom would leave a whole poll in doubt.
   */
  static final int MAX_IN_DOUBT = 16 * OrderChannel.PARTITIONS;

  private final Evidence evidence;
  private final Set<Recovery> recoveries;

  Repeats(Evidence evidence) {
    this.evidence = evidence;
    this.recoveries = new HashSet<>(evidence.recoveries());
  }

  /**
   * Returns the violations.
   *
   * @param repeated for each order with several effects all of them
   */
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
      Repeat repeat = new Repeat(before, rows.get(i));
      if (isCompleted(before, rows.subList(i, rows.size()))) {
        violations.add(repeat.ofCompleted());
        continue;
      }
      List<Disruption> causes =
          left.stream().filter(each -> each.consumer() == before.consumer()).toList();
      repeat.violation(recoveries, causes).ifPresent(violations::add);
      // A disruption explains one repeat of an order, not two.
      causes.stream().filter(repeat::isExplainedBy).findFirst().ifPresent(left::remove);
    }
    return violations;
  }

  /**
   * Returns whether the consumer of an effect reported it as executed. If the consumer has a later
   * effect of the order, the report may be of that one.
   */
  private boolean isCompleted(LedgerRow effect, List<LedgerRow> later) {
    return evidence.completions().contains(new Completion(effect.orderId(), effect.consumer()))
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
        disruption instanceof Kill ? disruption.mayRepeat() : disruption.inDoubt();
    if (!(disruption instanceof Outage) && limited.size() > MAX_IN_DOUBT) {
      violations.add(limited.size() + " effects were in doubt when " + disruption.what()
          + ", but handlers in flight and one round trip are at most " + MAX_IN_DOUBT);
    }
    return violations;
  }
}
