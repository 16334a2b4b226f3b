package io.hapax.demo;

import java.util.List;

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
 * @param kills SIGKILLs that hit orders in flight
 * @param killsRepeated SIGKILLs that hit nothing and were repeated
 * @param inFlightAtKills orders in flight at those kills, together
 * @param inDoubtAtKills effects whose mark was not DONE after those kills, together
 * @param storeRestarts how often the store was killed and started again
 * @param inDoubtAtRestarts effects whose mark was not DONE when it was back, together
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
    int kills,
    int killsRepeated,
    int inFlightAtKills,
    int inDoubtAtKills,
    int storeRestarts,
    int inDoubtAtRestarts,
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
