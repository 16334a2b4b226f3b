package io.hapax.chaos;

import io.hapax.demo.LedgerRow;
import io.hapax.demo.Mode;
import io.hapax.demo.scene.SceneResult;
import io.hapax.operations.audit.AuditReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The check of a run's ledger against its guarantee, as docs/verification/campaign.md explains it.
 * The parent reads ledger and marks itself. The reports of consumers can explain a repeat in leased
 * mode, and nothing else.
 *
 * @param effects the number of rows
 * @param none orders without an effect
 * @param once orders with one effect
 * @param more orders with more than one
 * @param violations the violations of the guarantee; empty if there are none
 */
record CampaignVerdict(int effects, int none, int once, int more, List<String> violations) {

  boolean holds() {
    return violations.isEmpty();
  }

  CampaignVerdict withViolations(List<String> more) {
    return new CampaignVerdict(
        effects,
        none,
        once,
        this.more,
        Stream.concat(violations.stream(), more.stream()).toList());
  }

  private CampaignVerdict withViolationIf(boolean violated, String violation) {
    return violated ? withViolations(List.of(violation)) : this;
  }

  /** Faults that hit nothing are violations, because the run then proves too little. */
  CampaignVerdict withMissing(FaultLog log, Map<FaultKind, Integer> asked) {
    CampaignVerdict verdict = this;
    for (FaultKind fault : FaultKind.values()) {
      verdict =
          verdict.withMissing(fault.title() + 's', asked.getOrDefault(fault, 0), log.hits(fault));
    }
    return verdict;
  }

  CampaignVerdict withMissing(String what, int asked, int hit) {
    return withViolationIf(
        asked != hit, asked - hit + " of " + asked + " " + what + " hit nothing");
  }

  CampaignVerdict withRecovery(Optional<Consumers.RecoveredOrder> slowest, Duration bound) {
    return withViolations(slowest.stream()
        .filter(each -> each.after().compareTo(bound) > 0)
        .map(each -> each.describe() + ", and " + bound.toMillis() + " ms are allowed")
        .toList());
  }

  CampaignVerdict withStandstill(FaultLog.Standstill longest, Duration bound) {
    return withViolationIf(
        longest.time().compareTo(bound) > 0,
        "nothing was settled for " + longest.time().toMillis() + " ms after " + longest.fault()
            + ", but " + bound.toMillis() + " ms are allowed");
  }

  CampaignVerdict withScenes(Map<String, SceneResult> scenes) {
    return withViolations(scenes.entrySet().stream()
        .flatMap(scene -> scene.getValue().violations().stream()
            .map(violation -> "scene \"" + scene.getKey() + "\": " + violation))
        .toList());
  }

  CampaignVerdict atLag(long lag) {
    return withViolationIf(lag != 0, lag + " messages were not consumed yet");
  }

  /** Checks that inventory and ledger agree: both are written in one transaction. */
  CampaignVerdict withStock(long piecesInLedger, long piecesTaken) {
    return withViolationIf(
        piecesInLedger != piecesTaken,
        "the ledger accounts for " + piecesInLedger + " pieces, but " + piecesTaken
            + " were taken from stock");
  }

  /**
   * After the last replay the mark of each order must be DONE, or the order would run again when it
   * is redelivered. The marks of poison with an id must be DEAD. Without Hapax there is no audit.
   */
  CampaignVerdict withAudit(
      @Nullable AuditReport audit, int published, int distinct, Poison poison) {
    if (audit == null) {
      return this;
    }
    int dead = poison.count() - poison.withoutId();
    return withViolationIf(
            audit.messages() != published,
            "the audit read " + audit.messages() + " messages, but " + published
                + " were published")
        .withViolationIf(
            audit.wouldRunAgain() > 0, "orders that would run again: " + audit.wouldRunAgain())
        .withViolationIf(
            audit.ids().done() != distinct,
            "orders whose marks are DONE: " + audit.ids().done() + " of " + distinct)
        .withViolationIf(
            audit.ids().dead() != dead,
            "messages whose marks are DEAD: " + audit.ids().dead() + " of " + dead)
        .withViolationIf(
            audit.missingIds() != poison.withoutId(),
            "messages without an id: " + audit.missingIds() + ", but " + poison.withoutId()
                + " were published")
        .withViolations(audit.samples().stream()
            .filter(sample -> !poison.explains(sample))
            .map(sample -> sample.id() + " at " + sample.coordinates() + " is " + sample.finding()
                + " in the audit")
            .toList());
  }

  static CampaignVerdict of(Mode mode, Set<String> published, Evidence evidence) {
    Map<String, List<LedgerRow>> byOrder =
        evidence.ledger().stream().collect(Collectors.groupingBy(LedgerRow::orderId));
    List<String> lost =
        published.stream().filter(id -> !byOrder.containsKey(id)).sorted().toList();
    Map<String, List<LedgerRow>> repeated = new TreeMap<>(byOrder);
    repeated.values().removeIf(rows -> rows.size() == 1);

    List<String> violations = new ArrayList<>();
    lost.forEach(id -> violations.add(id + " was lost: it has no effect"));
    violations.addAll(LedgerSnapshot.lost(evidence.snapshots()));
    byOrder.keySet().stream()
        .filter(id -> !published.contains(id))
        .sorted()
        .forEach(id -> violations.add(id
            + (Poison.isNamed(id)
                ? " took effect although it is poison"
                : " has an effect but was never published")));
    if (mode == Mode.TRANSACTIONAL) {
      repeated.forEach((id, rows) -> violations.add(id + " took effect " + rows.size() + " times"));
      evidence
          .disruptions()
          .forEach(disruption -> disruption.inDoubt().stream()
              .sorted()
              .forEach(id -> violations.add(
                  id + " had an effect but was not DONE when " + disruption.what())));
    } else {
      violations.addAll(new Repeats(evidence).unexplained(repeated.values()));
    }
    return new CampaignVerdict(
        evidence.ledger().size(),
        lost.size(),
        byOrder.size() - repeated.size(),
        repeated.size(),
        violations);
  }

  /**
   * The ledger of a run, the reports of its consumers, its disruptions and a snapshot of each pass.
   */
  record Evidence(
      List<LedgerRow> ledger,
      List<Reports.Recovery> recoveries,
      Map<Long, Set<String>> completions,
      List<Disruption> disruptions,
      List<LedgerSnapshot> snapshots) {}
}
