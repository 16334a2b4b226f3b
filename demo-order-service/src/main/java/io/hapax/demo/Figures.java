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
 * @param poisoned what became of the messages that never take effect
 * @param acknowledged what stands behind what was acknowledged
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
    Poisoned poisoned,
    Acknowledged acknowledged,
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

  /**
   * What became of the messages that never take effect.
   *
   * @param messages how many there are
   * @param deadLettered how many of them are in the dead-letter topic
   * @param deadLetters how many messages are there in all
   */
  record Poisoned(int messages, int deadLettered, int deadLetters) {}

  /**
   * What stands behind what was acknowledged.
   *
   * @param looks how often it was looked at: after each kill and after each pass
   * @param messages how many acknowledged messages were looked at, each at each look
   * @param waiting how many of them had been sent back and waited for a retry
   * @param premature how many orders had neither an effect nor a dead letter, and did not wait
   */
  record Acknowledged(int looks, long messages, long waiting, int premature) {

    static Acknowledged of(Acknowledgements acknowledgements) {
      return new Acknowledged(
          acknowledgements.looks(),
          acknowledgements.messages(),
          acknowledgements.waiting(),
          acknowledgements.premature().size());
    }
  }
}
