package io.hapax.chaos;

import io.hapax.demo.scene.SceneResult;
import io.hapax.operations.audit.AuditReport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All figures of a run, and their table.
 *
 * @param deliveries messages whose outcome the consumers reported
 * @param duplicatesSkipped deliveries that did not run because their order had taken effect
 * @param slowestRecovery the order with the longest time until its completion, among those in
 *     flight at a disruption; empty if there was none
 * @param audit the audit of the whole topic at the end; null without Hapax
 * @param seconds from the first consumer's start until lag 0 after the last replay
 * @param consumingSeconds the part of {@code seconds} in which a consumer had messages
 */
record Report(
    ChaosSettings settings,
    String waits,
    String durability,
    int published,
    int distinct,
    Poisoned poisoned,
    Acknowledged acknowledged,
    long deliveries,
    int duplicatesSkipped,
    int takeovers,
    FaultLog faults,
    Optional<Consumers.RecoveredOrder> slowestRecovery,
    @Nullable AuditReport audit,
    Map<String, SceneResult> scenes,
    CampaignVerdict verdict,
    double seconds,
    double consumingSeconds) {

  private static final int VIOLATIONS_SHOWN = 5;

  record Poisoned(int messages, int deadLettered, int deadLetters) {}

  record Acknowledged(int checks, long messages, long waiting, int premature) {}

  private long messagesPerSecond() {
    return consumingSeconds <= 0 ? 0 : Math.round(deliveries / consumingSeconds);
  }

  String table() {
    StringBuilder text = new StringBuilder();
    text.append(
        "\n%s, store %s, seed %d%n".formatted(settings.title(), settings.store, settings.seed));
    text.append("broker:  ").append(settings.broker).append(", ").append(waits).append('\n');
    text.append("durable: ").append(durability).append('\n');
    rows().forEach((name, value) -> text.append(row(name, value)).append('\n'));
    if (!scenes.isEmpty()) {
      text.append("scenes:  effects of those that were asked for\n");
      scenes.forEach((title, result) ->
          text.append(row(title, effects(result))).append(result.passed() ? "\n" : "  FAILED\n"));
    }
    return text.append(conclusion()).toString();
  }

  private Map<String, String> rows() {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("published", number(published));
    rows.put("distinct", number(distinct));
    if (!settings.naive) {
      rows.put("poison", number(poisoned.messages()));
      rows.put("poison dead-lettered", number(poisoned.deadLettered()));
      rows.put("dead letters", number(poisoned.deadLetters()));
    }
    rows.put("deliveries", number(deliveries));
    rows.put("duplicates skipped", number(duplicatesSkipped));
    rows.put("takeovers", number(takeovers));
    rows.put("kills in mid-batch", number(faults.count(FaultKind.KILL)));
    rows.put("kills that hit nothing", number(faults.killsRepeated));
    rows.put("orders in flight at kills", number(faults.inFlightAt(FaultKind.KILL)));
    rows.put("effects in doubt at kills", number(faults.inDoubtAt(FaultKind.KILL)));
    if (!settings.group().alone() || faults.killsComparedLate() > 0) {
      rows.put("kills compared too late", number(faults.killsComparedLate()));
    }
    if (faults.count(FaultKind.STOP) > 0) {
      boolean takeover = settings.store.endsIdleTransactions();
      rows.put(
          takeover ? "stops with a takeover" : "stops beyond the lease",
          number(faults.count(FaultKind.STOP)));
      rows.put("orders in flight then", number(faults.inFlightAt(FaultKind.STOP)));
    }
    if (faults.hits(FaultKind.BROKER_RESTART) > 0) {
      rows.put("broker restarts", number(faults.hits(FaultKind.BROKER_RESTART)));
    }
    if (faults.hits(FaultKind.RESET) > 0) {
      rows.put("resets to offset 0", number(faults.hits(FaultKind.RESET)));
    }
    if (faults.hits(FaultKind.SCALING) > 0) {
      rows.put("members that came and left", number(faults.hits(FaultKind.SCALING)));
    }
    rows.put(
        "slowest recovery",
        seconds(slowestRecovery.map(Consumers.RecoveredOrder::after).orElse(Duration.ZERO)));
    if (faults.hits(FaultKind.BROKER_RESTART) + faults.hits(FaultKind.STORE_RESTART) > 0) {
      rows.put("longest standstill", seconds(faults.longestStandstill.time()));
    }
    if (faults.hits(FaultKind.STORE_RESTART) > 0) {
      rows.put("store restarts", number(faults.hits(FaultKind.STORE_RESTART)));
      rows.put("effects in doubt then", number(faults.inDoubtAt(FaultKind.STORE_RESTART)));
    }
    if (!settings.naive) {
      rows.put("ack checks", number(acknowledged.checks()));
      rows.put("acks checked", number(acknowledged.messages()));
      if (acknowledged.waiting() > 0) {
        rows.put("sent back and waiting", number(acknowledged.waiting()));
      }
      rows.put("premature acks", number(acknowledged.premature()));
    }
    rows.put("replays", number(settings.replays));
    rows.put("effects", number(verdict.effects()));
    rows.put("orders with 0 effects", number(verdict.none()));
    rows.put("orders with 1 effect", number(verdict.once()));
    rows.put("orders with more effects", number(verdict.more()));
    if (audit != null) {
      rows.put("audit: messages", number(audit.messages()));
      rows.put("audit: orders done", number(audit.ids().done()));
      rows.put("audit: dead", number(audit.ids().dead()));
      rows.put("audit: without an id", number(audit.missingIds()));
      rows.put("audit: would run again", number(audit.wouldRunAgain()));
    }
    rows.put("time", seconds(seconds));
    rows.put("messages/s while consuming", number(messagesPerSecond()));
    return rows;
  }

  private static String row(String name, String value) {
    return "  %-28s %12s".formatted(name, value);
  }

  private static String effects(SceneResult result) {
    return number(result.effects()) + " of " + number(result.asked());
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String seconds(Duration time) {
    return seconds(time.toMillis() / 1e3);
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.1f s", value);
  }

  private String conclusion() {
    List<String> violations = verdict.violations();
    if (violations.isEmpty()) {
      return verdict.more() == 0
          ? "PASSED: every order took effect exactly once\n"
          : "PASSED: no order was lost, and a counted takeover explains each repeat\n";
    }
    StringBuilder text = new StringBuilder("FAILED: " + number(violations.size())
        + (violations.size() == 1 ? " violation\n" : " violations\n"));
    violations.stream()
        .limit(VIOLATIONS_SHOWN)
        .forEach(violation -> text.append("  ").append(violation).append('\n'));
    if (violations.size() > VIOLATIONS_SHOWN) {
      text.append("  ... and ")
          .append(number(violations.size() - VIOLATIONS_SHOWN))
          .append(" more\n");
    }
    return text.toString();
  }
}
