package io.hapax.demo;

import io.hapax.audit.AuditReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every figure of a run.
 *
 * @param settings what was asked for
 * @param waits how long the broker waits for those who vanished
 * @param durability what keeps committed rows
 * @param published messages on the topic
 * @param distinct distinct orders among them
 * @param deliveries messages that the broker handed out, all consumers together
 * @param duplicatesSkipped deliveries that did not run because their order had taken effect
 * @param takeovers recoveries that were counted
 * @param damage what befell the processes
 * @param audit what the marks say of the whole topic in the end; null without Hapax
 * @param verdict what the ledger says
 * @param seconds from the first consumer's start until lag 0 after the last replay
 * @param consumingSeconds of these, the time in which a consumer had messages
 */
record Figures(
    DemoSettings settings,
    String waits,
    String durability,
    int published,
    int distinct,
    long deliveries,
    int duplicatesSkipped,
    int takeovers,
    Damage damage,
    @Nullable AuditReport audit,
    Verdict verdict,
    double seconds,
    double consumingSeconds) {

  /** Deliveries for each second in which a consumer had messages. */
  long messagesPerSecond() {
    return consumingSeconds <= 0 ? 0 : Math.round(deliveries / consumingSeconds);
  }

  boolean passed() {
    return verdict.holds();
  }

  List<String> faults() {
    return verdict.faults();
  }
}
