package io.hapax.console.trial;

import java.time.Duration;
import java.util.List;

/**
 * The current state of a demo.
 *
 * @param storeRuns whether the store runs
 * @param consumers the consumers
 * @param booked the orders, as they were when the ledger was read
 * @param charged the paid orders, as the payment gateways have charged them
 * @param age how long ago the ledger was read
 * @param stories the stories of the newest actions, newest first
 */
public record TrialState(
    boolean storeRuns,
    List<TrialConsumer> consumers,
    TrialOrders booked,
    TrialOrders charged,
    Duration age,
    List<TrialStory> stories) {}
