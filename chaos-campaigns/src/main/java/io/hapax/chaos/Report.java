package io.hapax.chaos;

import io.hapax.demo.scene.SceneResult;
import io.hapax.operations.audit.AuditReport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints a run's figures as a table. */
final class Report {

  private static final int VIOLATIONS_SHOWN = 5;

  private final Figures figures;

  Report(Figures figures) {
    this.figures = figures;
  }

  /** Returns the table and the verdict. */
  String table() {
    ChaosSettings settings = figures.settings();
    StringBuilder text = new StringBuilder();
    text.append(
        "\n%s, store %s, seed %d%n".formatted(settings.title(), settings.store(), settings.seed()));
    text.append("broker:  ")
        .append(settings.broker())
        .append(", ")
        .append(figures.waits())
        .append('\n');
    text.append("durable: ").append(figures.durability()).append('\n');
    rows().forEach((name, value) -> text.append(row(name, value)).append('\n'));
    if (!figures.scenes().isEmpty()) {
      text.append("scenes:  effects of those that were asked for\n");
      figures
          .scenes()
          .forEach((title, result) -> text.append(row(title, effects(result)))
              .append(result.passed() ? "\n" : "  FAILED\n"));
    }
    return text.append(verdict()).toString();
  }

  private Map<String, String> rows() {
    Verdict verdict = figures.verdict();
    ChaosSettings settings = figures.settings();
    FaultLog faults = figures.faults();
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("published", number(figures.published()));
    rows.put("distinct", number(figures.distinct()));
    if (!figures.settings().naive()) {
      rows.put("poison", number(figures.poisoned().messages()));
      rows.put("poison dead-lettered", number(figures.poisoned().deadLettered()));
      rows.put("dead letters", number(figures.poisoned().deadLetters()));
    }
    rows.put("deliveries", number(figures.deliveries()));
    rows.put("duplicates skipped", number(figures.duplicatesSkipped()));
    rows.put("takeovers", number(figures.takeovers()));
    rows.put("kills in mid-batch", number(faults.count(Kill.class)));
    rows.put("kills that hit nothing", number(faults.killsRepeated()));
    rows.put("orders in flight at kills", number(faults.inFlightAt(Kill.class)));
    rows.put("effects in doubt at kills", number(faults.inDoubtAt(Kill.class)));
    if (!settings.group().alone() || faults.killsComparedLate() > 0) {
      rows.put("kills compared too late", number(faults.killsComparedLate()));
    }
    if (faults.count(Stop.class) > 0) {
      boolean takeover = settings.store().endsIdleTransactions();
      rows.put(
          takeover ? "stops with a takeover" : "stops beyond the lease",
          number(faults.count(Stop.class)));
      rows.put("orders in flight then", number(faults.inFlightAt(Stop.class)));
    }
    if (faults.hits(Fault.BROKER_RESTART) > 0) {
      rows.put("broker restarts", number(faults.hits(Fault.BROKER_RESTART)));
    }
    if (faults.hits(Fault.RESET) > 0) {
      rows.put("resets to offset 0", number(faults.hits(Fault.RESET)));
    }
    if (faults.hits(Fault.SCALING) > 0) {
      rows.put("members that came and left", number(faults.hits(Fault.SCALING)));
    }
    rows.put(
        "slowest recovery",
        seconds(figures.slowestRecovery().map(RecoveredOrder::after).orElse(Duration.ZERO)));
    if (faults.hits(Fault.BROKER_RESTART) + faults.hits(Fault.STORE_RESTART) > 0) {
      rows.put("longest standstill", seconds(faults.longestStandstill().time()));
    }
    if (faults.hits(Fault.STORE_RESTART) > 0) {
      rows.put("store restarts", number(faults.hits(Fault.STORE_RESTART)));
      rows.put("effects in doubt then", number(faults.inDoubtAt(Outage.class)));
    }
    if (!figures.settings().naive()) {
      rows.put("ack checks", number(figures.acknowledged().checks()));
      rows.put("acks checked", number(figures.acknowledged().messages()));
      if (figures.acknowledged().waiting() > 0) {
        rows.put("sent back and waiting", number(figures.acknowledged().waiting()));
      }
      rows.put("premature acks", number(figures.acknowledged().premature()));
    }
    rows.put("replays", number(figures.settings().replays()));
    rows.put("effects", number(verdict.effects()));
    rows.put("orders with 0 effects", number(verdict.none()));
    rows.put("orders with 1 effect", number(verdict.once()));
    rows.put("orders with more effects", number(verdict.more()));
    AuditReport audit = figures.audit();
    if (audit != null) {
      rows.put("audit: messages", number(audit.messages()));
      rows.put("audit: orders done", number(audit.ids().done()));
      rows.put("audit: dead", number(audit.ids().dead()));
      rows.put("audit: without an id", number(audit.missingIds()));
      rows.put("audit: would run again", number(audit.wouldRunAgain()));
    }
    rows.put("time", seconds(figures.seconds()));
    rows.put("messages/s while consuming", number(figures.messagesPerSecond()));
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

  private String verdict() {
    List<String> violations = figures.violations();
    if (violations.isEmpty()) {
      return figures.verdict().more() == 0
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
