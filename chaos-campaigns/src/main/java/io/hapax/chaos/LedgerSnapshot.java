package io.hapax.chaos;

import io.hapax.demo.LedgerRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The effects of each order in the ledger after one complete pass over the topic.
 *
 * <p>After a pass all orders are settled, and a replay may add no effect. If an order was lost, the
 * next replay would run it, and the last ledger would look right. So each snapshot is compared with
 * the one before.
 *
 * @param name the name of the pass
 * @param effects the number of effects of each order
 */
record LedgerSnapshot(String name, Map<String, Integer> effects) {

  LedgerSnapshot {
    effects = Map.copyOf(effects);
  }

  static LedgerSnapshot of(String name, List<LedgerRow> ledger) {
    Map<String, Integer> effects = new TreeMap<>();
    ledger.forEach(row -> effects.merge(row.orderId(), 1, Integer::sum));
    return new LedgerSnapshot(name, effects);
  }

  /** Returns the orders that took effect for the first time in a replay, as violations. */
  static List<String> lost(List<LedgerSnapshot> snapshots) {
    List<String> violations = new ArrayList<>();
    for (int i = 1; i < snapshots.size(); i++) {
      LedgerSnapshot before = snapshots.get(i - 1);
      LedgerSnapshot replay = snapshots.get(i);
      replay.effects.keySet().stream()
          .filter(id -> !before.effects.containsKey(id))
          .sorted()
          .forEach(id -> violations.add(
              id + " was lost in " + before.name + ": it took effect in " + replay.name + " only"));
    }
    return violations;
  }

  /** Returns the orders that took effect once more in a replay, as violations. */
  static List<String> repeated(List<LedgerSnapshot> snapshots) {
    List<String> violations = new ArrayList<>();
    for (int i = 1; i < snapshots.size(); i++) {
      LedgerSnapshot before = snapshots.get(i - 1);
      LedgerSnapshot replay = snapshots.get(i);
      before.effects.keySet().stream()
          .filter(id -> replay.effects.getOrDefault(id, 0) > before.effects.getOrDefault(id, 0))
          .sorted()
          .forEach(id -> violations.add(id + " took effect again in " + replay.name + ", although "
              + before.name + " had settled it"));
    }
    return violations;
  }
}
