package io.hapax.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the ledger held when the group had read the whole topic: for the first time, or once more.
 *
 * <p>By then every order is settled, and a replay may add nothing. An order that was lost would
 * come back with the next replay and take effect, and the last ledger would look right; so each is
 * compared with the one before.
 *
 * @param name which pass it was
 * @param effects how many each order had
 */
record Pass(String name, Map<String, Integer> effects) {

  Pass {
    effects = Map.copyOf(effects);
  }

  static Pass of(String name, List<LedgerRow> ledger) {
    Map<String, Integer> effects = new TreeMap<>();
    ledger.forEach(row -> effects.merge(row.orderId(), 1, Integer::sum));
    return new Pass(name, effects);
  }

  /** The orders that took effect for the first time in a replay, each a fault. */
  static List<String> lost(List<Pass> passes) {
    List<String> faults = new ArrayList<>();
    for (int i = 1; i < passes.size(); i++) {
      Pass before = passes.get(i - 1);
      Pass replay = passes.get(i);
      replay.effects.keySet().stream()
          .filter(id -> !before.effects.containsKey(id))
          .sorted()
          .forEach(id -> faults.add(
              id + " was lost in " + before.name + ": it took effect in " + replay.name + " only"));
    }
    return faults;
  }

  /** The orders that took effect once more in a replay, each a fault. */
  static List<String> repeated(List<Pass> passes) {
    List<String> faults = new ArrayList<>();
    for (int i = 1; i < passes.size(); i++) {
      Pass before = passes.get(i - 1);
      Pass replay = passes.get(i);
      before.effects.keySet().stream()
          .filter(id -> replay.effects.getOrDefault(id, 0) > before.effects.getOrDefault(id, 0))
          .sorted()
          .forEach(id -> faults.add(id + " took effect again in " + replay.name + ", although "
              + before.name + " had settled it"));
    }
    return faults;
  }
}
