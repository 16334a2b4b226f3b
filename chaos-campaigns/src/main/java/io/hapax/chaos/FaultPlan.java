package io.hapax.chaos;

/**
 * The faults of a run. Scaling and resets of the offsets count as faults, too.
 *
 * @param kills kills of the consumer while a batch is in flight
 * @param stops stops of the consumer for longer than its lease
 * @param storeRestarts kills and restarts of the store under a consumer
 * @param brokerRestarts kills and restarts of the broker
 * @param resets resets of the group's offsets to 0
 * @param scalings members that join the group for a while, after which another one leaves
 */
record FaultPlan(
    int kills, int stops, int storeRestarts, int brokerRestarts, int resets, int scalings) {

  private static final int MOST = 1_000;

  FaultPlan {
    ChaosSettings.inRange("--kills", kills, 0, MOST);
    ChaosSettings.inRange("--stops", stops, 0, MOST);
    ChaosSettings.inRange("--store-restarts", storeRestarts, 0, MOST);
    ChaosSettings.inRange("--broker-restarts", brokerRestarts, 0, MOST);
    ChaosSettings.inRange("--resets", resets, 0, MOST);
    ChaosSettings.inRange("--scalings", scalings, 0, MOST);
  }

  /** Creates a plan for a single consumer. */
  FaultPlan(int kills, int stops, int storeRestarts, int brokerRestarts) {
    this(kills, stops, storeRestarts, brokerRestarts, 0, 0);
  }

  /** Returns a plan with kills only. */
  static FaultPlan kills(int count) {
    return new FaultPlan(count, 0, 0, 0);
  }

  /** Returns the number of faults that a consumer survives. */
  int survivable() {
    return stops + storeRestarts + brokerRestarts + resets + scalings;
  }

  /** Returns the number of all faults. */
  int count() {
    return kills + survivable();
  }
}
