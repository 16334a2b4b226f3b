package io.hapax.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hapax.audit.AuditReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A run's figures for people and for programs. */
final class Report {

  private static final int FAULTS_SHOWN = 5;

  private final Figures figures;

  Report(Figures figures) {
    this.figures = figures;
  }

  /** The table and the verdict. */
  String table() {
    DemoSettings settings = figures.settings();
    StringBuilder text = new StringBuilder();
    text.append(
        "\n%s, store %s, seed %d%n".formatted(settings.title(), settings.store(), settings.seed()));
    text.append("broker:  ")
        .append(settings.broker())
        .append(", ")
        .append(figures.waits())
        .append('\n');
    text.append("durable: ").append(figures.durability()).append('\n');
    rows().forEach((name, value) -> text.append("  %-28s %12s%n".formatted(name, value)));
    return text.append(verdict()).toString();
  }

  private Map<String, String> rows() {
    Verdict verdict = figures.verdict();
    Damage damage = figures.damage();
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
    rows.put("kills in mid-batch", number(damage.kills()));
    rows.put("kills that hit nothing", number(damage.killsRepeated()));
    rows.put("orders in flight at kills", number(damage.inFlightAtKills()));
    rows.put("effects in doubt at kills", number(damage.inDoubtAtKills()));
    if (damage.stops() > 0) {
      rows.put("stops with a takeover", number(damage.stops()));
      rows.put("orders in flight then", number(damage.inFlightAtStops()));
    }
    if (damage.brokerRestarts() > 0) {
      rows.put("broker restarts", number(damage.brokerRestarts()));
    }
    rows.put("slowest recovery", seconds(damage.slowestRecoveryTime().toMillis() / 1e3));
    if (damage.brokerRestarts() + damage.storeRestarts() > 0) {
      rows.put("longest standstill", seconds(damage.longestStandstill().time().toMillis() / 1e3));
    }
    if (damage.storeRestarts() > 0) {
      rows.put("store restarts", number(damage.storeRestarts()));
      rows.put("effects in doubt then", number(damage.inDoubtAtRestarts()));
    }
    if (!figures.settings().naive()) {
      rows.put("looks at acks", number(figures.acknowledged().looks()));
      rows.put("acks looked at", number(figures.acknowledged().messages()));
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

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.1f s", value);
  }

  private String verdict() {
    List<String> faults = figures.faults();
    if (faults.isEmpty()) {
      return figures.verdict().more() == 0
          ? "PASSED: every order took effect exactly once\n"
          : "PASSED: no order was lost, and a counted takeover explains each repeat\n";
    }
    StringBuilder text = new StringBuilder(
        "FAILED: " + number(faults.size()) + (faults.size() == 1 ? " fault\n" : " faults\n"));
    faults.stream()
        .limit(FAULTS_SHOWN)
        .forEach(fault -> text.append("  ").append(fault).append('\n'));
    if (faults.size() > FAULTS_SHOWN) {
      text.append("  ... and ").append(number(faults.size() - FAULTS_SHOWN)).append(" more\n");
    }
    return text.toString();
  }

  /** Writes every figure as JSON. */
  void write(Path file) throws IOException {
    new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), json());
  }

  /** Every figure under its name. */
  Map<String, Object> json() {
    DemoSettings settings = figures.settings();
    Verdict verdict = figures.verdict();
    Damage damage = figures.damage();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("consumer", settings.naive() ? "naive" : "hapax");
    json.put("mode", settings.mode().toString());
    json.put("broker", settings.broker().toString());
    json.put("waits", figures.waits());
    json.put("store", settings.store().toString());
    json.put("durability", figures.durability());
    json.put("seed", settings.seed());
    json.put("published", figures.published());
    json.put("distinct", figures.distinct());
    json.put("poison", figures.poisoned().messages());
    json.put("poisonDeadLettered", figures.poisoned().deadLettered());
    json.put("deadLetters", figures.poisoned().deadLetters());
    json.put("deliveries", figures.deliveries());
    json.put("duplicatesSkipped", figures.duplicatesSkipped());
    json.put("takeovers", figures.takeovers());
    json.put("kills", damage.kills());
    json.put("killsRepeated", damage.killsRepeated());
    json.put("inFlightAtKills", damage.inFlightAtKills());
    json.put("inDoubtAtKills", damage.inDoubtAtKills());
    json.put("stops", damage.stops());
    json.put("inFlightAtStops", damage.inFlightAtStops());
    json.put("brokerRestarts", damage.brokerRestarts());
    json.put("slowestRecoverySeconds", damage.slowestRecoveryTime().toMillis() / 1e3);
    json.put("slowestRecovery", damage.slowestRecovery().map(Aftermath::inWords).orElse(""));
    json.put("longestStandstillSeconds", damage.longestStandstill().time().toMillis() / 1e3);
    json.put("longestStandstillAfter", damage.longestStandstill().blow());
    json.put("storeRestarts", damage.storeRestarts());
    json.put("inDoubtAtRestarts", damage.inDoubtAtRestarts());
    json.put("looksAtAcks", figures.acknowledged().looks());
    json.put("acksLookedAt", figures.acknowledged().messages());
    json.put("sentBackAndWaiting", figures.acknowledged().waiting());
    json.put("prematureAcks", figures.acknowledged().premature());
    json.put("replays", settings.replays());
    json.put("effects", verdict.effects());
    json.put("ordersWithNoEffect", verdict.none());
    json.put("ordersWithOneEffect", verdict.once());
    json.put("ordersWithMoreEffects", verdict.more());
    AuditReport audit = figures.audit();
    if (audit != null) {
      json.put("auditedMessages", audit.messages());
      json.put("auditedOrdersDone", audit.ids().done());
      json.put("auditedDead", audit.ids().dead());
      json.put("auditedWithoutId", audit.missingIds());
      json.put("wouldRunAgain", audit.wouldRunAgain());
    }
    json.put("seconds", figures.seconds());
    json.put("consumingSeconds", figures.consumingSeconds());
    json.put("messagesPerSecond", figures.messagesPerSecond());
    json.put("passed", figures.passed());
    json.put("faults", figures.faults());
    return json;
  }
}
