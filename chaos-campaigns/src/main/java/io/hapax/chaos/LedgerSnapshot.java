package io.hapax.chaos;

import io.hapax.demo.LedgerRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The effects of each order in the ledger after one complete pass over the topic. If an order was
 * lost, the next replay runs it, and the last ledger looks right. So each snapshot is compared with
 * the one before. An order with its first effect was lost before; one with a further effect was
 * repeated.
 *
 * @param name the name of the pass
 * @param effects the number of effects of each order
 */
record LedgerSnapshot(String name, Map<String, Integer> effects) {

  static LedgerSnapshot of(String name, List<LedgerRow> ledger) {
    Map<String, Integer> effects = new HashMap<>();
    ledger.forEach(row -> effects.merge(row.orderId(), 1, Integer::sum));
    return new LedgerSnapshot(name, effects);
  }

  static List<String> lost(List<LedgerSnapshot> snapshots) {
    return addedByReplays(snapshots, false, "%1$s was lost in %2$s: it took effect in %3$s only");
  }

  static List<String> repeated(List<LedgerSnapshot> snapshots) {
    return addedByReplays(
        snapshots, true, "%1$s took effect again in %3$s, although %2$s had settled it");
  }

  private static List<String> addedByReplays(
      List<LedgerSnapshot> snapshots, boolean hadEffects, String violation) {
    List<String> violations = new ArrayList<>();
    for (int i = 1; i < snapshots.size(); i++) {
      LedgerSnapshot before = snapshots.get(i - 1);
      LedgerSnapshot replay = snapshots.get(i);
      new TreeMap<>(replay.effects).forEach((id, effects) -> {
        int earlier = before.effects.getOrDefault(id, 0);
        if (effects > earlier && earlier > 0 == hadEffects) {
          violations.add(violation.formatted(id, before.name, replay.name));
        }
      });
    }
    return violations;
  }
}
