package io.hapax.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the ledger says about a run.
 *
 * @param effects how many rows it has
 * @param none orders without an effect
 * @param once orders with one effect
 * @param more orders with more than one
 * @param faults what breaks the promise, for people; empty if nothing does
 */
record Verdict(int effects, int none, int once, int more, List<String> faults) {

  Verdict {
    faults = List.copyOf(faults);
  }

  boolean holds() {
    return faults.isEmpty();
  }

  /** The same verdict with one fault more. */
  Verdict withFault(String fault) {
    List<String> all = new ArrayList<>(faults);
    all.add(fault);
    return new Verdict(effects, none, once, more, all);
  }

  /** Checks that inventory and ledger tell the same story: both were written in one transaction. */
  Verdict withStock(long piecesInLedger, long piecesTaken) {
    return piecesInLedger == piecesTaken
        ? this
        : withFault("the ledger accounts for " + piecesInLedger + " pieces, but " + piecesTaken
            + " were taken from stock");
  }

  /**
   * Judges a ledger. It must be read after the consumers have read everything: at lag 0.
   *
   * @param promise what was promised
   * @param published the distinct orders on the topic
   * @param evidence what the ledger says, and the consumers reported
   */
  static Verdict of(Promise promise, Set<String> published, Evidence evidence) {
    Map<String, List<LedgerRow>> byOrder =
        evidence.ledger().stream().collect(Collectors.groupingBy(LedgerRow::orderId));
    List<String> lost =
        published.stream().filter(id -> !byOrder.containsKey(id)).sorted().toList();
    List<String> unknown =
        byOrder.keySet().stream().filter(id -> !published.contains(id)).sorted().toList();
    Map<String, List<LedgerRow>> repeated = new TreeMap<>(byOrder);
    repeated.values().removeIf(rows -> rows.size() == 1);

    List<String> faults = new ArrayList<>();
    lost.forEach(id -> faults.add(id + " was lost: it has no effect"));
    unknown.forEach(id -> faults.add(id + " has an effect but was never published"));
    if (promise == Promise.EXACTLY_ONCE) {
      repeated.forEach((id, rows) -> faults.add(id + " took effect " + rows.size() + " times"));
    } else {
      faults.addAll(unexplained(repeated, evidence));
    }
    return new Verdict(
        evidence.ledger().size(),
        lost.size(),
        byOrder.size() - repeated.size(),
        repeated.size(),
        faults);
  }

  private static List<String> unexplained(
      Map<String, List<LedgerRow>> repeated, Evidence evidence) {
    Set<Recovery> recoveries = new HashSet<>(evidence.recoveries());
    Map<Long, Kill> kills = new HashMap<>();
    evidence.kills().forEach(kill -> kills.put(kill.pid(), kill));
    Map<Long, Integer> repeatsAfterKill = new HashMap<>();
    List<String> faults = new ArrayList<>();
    for (List<LedgerRow> effects : repeated.values()) {
      List<LedgerRow> rows = new ArrayList<>(effects);
      rows.sort(Comparator.comparingLong(LedgerRow::token));
      for (int i = 1; i < rows.size(); i++) {
        LedgerRow before = rows.get(i - 1);
        LedgerRow repeat = rows.get(i);
        repeatsAfterKill.merge(before.pid(), 1, Integer::sum);
        new Repeat(before, repeat).fault(recoveries, kills).ifPresent(faults::add);
      }
    }
    for (Kill kill : evidence.kills()) {
      int repeats = repeatsAfterKill.getOrDefault(kill.pid(), 0);
      if (repeats > kill.inFlight().size()) {
        faults.add("the kill of process " + kill.pid() + " is followed by " + repeats
            + " repeats, but only " + kill.inFlight().size() + " orders were in flight");
      }
    }
    return faults;
  }

  /**
   * What a run left behind.
   *
   * @param ledger the effects
   * @param recoveries what the consumers counted
   * @param kills the kills that hit something
   */
  record Evidence(List<LedgerRow> ledger, List<Recovery> recoveries, List<Kill> kills) {

    Evidence {
      ledger = List.copyOf(ledger);
      recoveries = List.copyOf(recoveries);
      kills = List.copyOf(kills);
    }
  }
}
