package io.hapax.chaos;

import io.hapax.demo.scene.SceneResult;
import io.hapax.operations.audit.AuditReport;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All figures of a run.
 *
 * @param settings the settings of the run
 * @param waits how long the broker waits for vanished members
 * @param durability the database settings that make committed rows durable
 * @param published messages on the topic
 * @param distinct distinct orders among them
 * @param poisoned the results of the messages that never take effect
 * @param acknowledged the checks of acknowledged messages
 * @param deliveries messages that the broker delivered to all consumers together
 * @param duplicatesSkipped deliveries that did not run because their order had taken effect
 * @param takeovers recoveries that were counted
 * @param faults the faults of the run
 * @param slowestRecovery the order with the longest time until its completion, among those in
 *     flight at a disruption; empty if there was none
 * @param audit the audit of the whole topic at the end; null without Hapax
 * @param scenes the results of the scenes by title; empty without scenes
 * @param verdict the check of the ledger and of the scenes
 * @param seconds from the first consumer's start until lag 0 after the last replay
 * @param consumingSeconds the part of {@code seconds} in which a consumer had messages
 */
record Figures(
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
    Optional<RecoveredOrder> slowestRecovery,
    @Nullable AuditReport audit,
    Map<String, SceneResult> scenes,
    Verdict verdict,
    double seconds,
    double consumingSeconds) {

  Figures {
    scenes = Collections.unmodifiableMap(new LinkedHashMap<>(scenes)); // preserves the order
  }

  /** Returns the deliveries for each second in which a consumer had messages. */
  long messagesPerSecond() {
    return consumingSeconds <= 0 ? 0 : Math.round(deliveries / consumingSeconds);
  }

  boolean passed() {
    return verdict.holds();
  }

  List<String> violations() {
    return verdict.violations();
  }

  /**
   * The results of the messages that never take effect.
   *
   * @param messages how many there are
   * @param deadLettered how many of them are in the dead-letter topic
   * @param deadLetters the number of all messages in the dead-letter topic
   */
  record Poisoned(int messages, int deadLettered, int deadLetters) {}

  /**
   * The checks of acknowledged messages.
   *
   * @param checks the number of checks: after each kill and after each pass
   * @param messages the number of checked messages over all checks
   * @param waiting how many of them had been sent back and waited for a retry
   * @param premature how many orders had neither an effect nor a dead-letter record, and did not
   *     wait
   */
  record Acknowledged(int checks, long messages, long waiting, int premature) {

    static Acknowledged of(Acknowledgements acknowledgements) {
      return new Acknowledged(
          acknowledgements.checks(),
          acknowledgements.messages(),
          acknowledgements.waiting(),
          acknowledgements.premature().size());
    }
  }
}
