package io.hapax.demo;

import io.hapax.audit.AuditReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the ledger says about a run.
 *
 * <p>What is measured, and by whom. Effects are the ledger's rows, and which process wrote one
 * under which token stands in the row, in the transaction of the effect. That a recovery was
 * counted before its repeat is the listener's event, which the consumer reports. What a kill left
 * open is asked of shop and store after the process is dead ({@link Disruption#inDoubt}): ledger
 * and marks together, so a consumer that reports too much or too little in flight hides nothing.
 * Leased, each repeat must be of such an order, and they may be no more than handlers in flight and
 * completions of one store round trip can be ({@link #MOST_IN_DOUBT}); transactional, there may be
 * none at all. Its own report ({@link Disruption#inFlight}) is held against that answer: an outcome
 * that it reported, and so may have acknowledged, must stand as DONE. When the store was killed the
 * same is asked while the consumer rests; what is in doubt then has no such bound, because handlers
 * whose claim was there go on for as long as their lease allows, if their database is another one.
 * A consumer that was stopped may also repeat what it had in flight: its handlers go on, too late.
 * A replay may add no effect, in neither mode ({@link Pass}).
 *
 * @param effects how many rows it has
 * @param none orders without an effect
 * @param once orders with one effect
 * @param more orders with more than one
 * @param faults what breaks the promise, for people; empty if nothing does
 */
record Verdict(int effects, int none, int once, int more, List<String> faults) {

  /**
   * How many effects may be in doubt after one kill. One handler for each partition runs at a time.
   * How many more end while a settlement is under way depends on the machine; but each ends with a
   * round trip to the same database, so on each partition it is a few. Sixteen is far above what
   * was ever seen and far below a poll, which a consumer that settles too seldom would leave.
   */
  static final int MOST_IN_DOUBT = 16 * OrderBroker.PARTITIONS;

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

  /** What was asked for must have hit something, or the run proves too little. */
  Verdict withMissing(String what, int asked, int hit) {
    return asked == hit
        ? this
        : withFault(asked - hit + " of " + asked + " " + what + " hit nothing");
  }

  /** What a consumer had in flight when it was cut off must not stay undone. */
  Verdict withRecovery(Optional<Aftermath> slowest, Duration bound) {
    return slowest
        .filter(each -> each.after().compareTo(bound) > 0)
        .map(each -> withFault(each.inWords() + ", and " + bound.toMillis() + " ms are allowed"))
        .orElse(this);
  }

  /** Whoever lives on when its store or broker was killed must go on by itself. */
  Verdict withStandstill(Standstill longest, Duration bound) {
    return longest.time().compareTo(bound) <= 0
        ? this
        : withFault("nothing was settled for " + longest.time().toMillis() + " ms after "
            + longest.blow() + ", but " + bound.toMillis() + " ms are allowed");
  }

  /** The same verdict with these faults more. */
  Verdict withFaults(List<String> more) {
    Verdict verdict = this;
    for (String fault : more) {
      verdict = verdict.withFault(fault);
    }
    return verdict;
  }

  /** A verdict falls at lag 0, or it is none. */
  Verdict atLag(long lag) {
    return lag == 0 ? this : withFault(lag + " messages were not consumed yet");
  }

  /**
   * After the last replay each order must be known as done, or it would run again, now or as soon
   * as somebody sends it back; and poison as dead, if it has an id.
   *
   * @param audit what the marks say of the topic
   * @param published how many messages are on it
   * @param distinct how many orders
   * @param poison which messages beside them
   */
  Verdict withAudit(AuditReport audit, int published, int distinct, Poison poison) {
    return withFaults(AuditFaults.of(audit, published, distinct, poison));
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
    faults.addAll(Pass.lost(evidence.passes()));
    unknown.forEach(id -> faults.add(id
        + (Poison.isNamed(id)
            ? " took effect although it is poison"
            : " has an effect but was never published")));
    if (promise == Promise.EXACTLY_ONCE) {
      repeated.forEach((id, rows) -> faults.add(id + " took effect " + rows.size() + " times"));
      evidence
          .disruptions()
          .forEach(disruption -> disruption.inDoubt().stream()
              .sorted()
              .forEach(id ->
                  faults.add(id + " had an effect but was not DONE when " + disruption.what())));
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
    Map<Long, Disruption> disruptions = new HashMap<>();
    evidence.disruptions().forEach(each -> disruptions.put(each.consumer(), each));
    List<String> faults = new ArrayList<>();
    for (List<LedgerRow> effects : repeated.values()) {
      List<LedgerRow> rows = new ArrayList<>(effects);
      rows.sort(Comparator.comparingLong(LedgerRow::token));
      Map<Long, Disruption> left = new HashMap<>(disruptions);
      for (int i = 1; i < rows.size(); i++) {
        LedgerRow before = rows.get(i - 1);
        LedgerRow repeat = rows.get(i);
        new Repeat(before, repeat).fault(recoveries, left).ifPresent(faults::add);
        left.remove(before.consumer()); // it explains one repeat of an order, not two
      }
    }
    evidence.disruptions().forEach(each -> faults.addAll(wrongWith(each)));
    faults.addAll(Pass.repeated(evidence.passes()));
    return faults;
  }

  private static List<String> wrongWith(Disruption disruption) {
    List<String> faults = new ArrayList<>();
    disruption.inDoubt().stream()
        .filter(id -> !disruption.inFlight().contains(id))
        .sorted()
        .forEach(id -> faults.add(id + " was not DONE when " + disruption.what()
            + ", although its outcome had been reported"));
    if (!(disruption instanceof Outage) && disruption.inDoubt().size() > MOST_IN_DOUBT) {
      faults.add(disruption.inDoubt().size() + " effects were in doubt when " + disruption.what()
          + ", but handlers in flight and one round trip are at most " + MOST_IN_DOUBT);
    }
    return faults;
  }

  /**
   * What a run left behind.
   *
   * @param ledger the effects
   * @param recoveries what the consumers counted
   * @param disruptions the kills that hit something, and the outages of the store
   * @param passes what the ledger held after the first pass and after each replay
   */
  record Evidence(
      List<LedgerRow> ledger,
      List<Recovery> recoveries,
      List<Disruption> disruptions,
      List<Pass> passes) {

    Evidence {
      ledger = List.copyOf(ledger);
      recoveries = List.copyOf(recoveries);
      disruptions = List.copyOf(disruptions);
      passes = List.copyOf(passes);
    }
  }
}
