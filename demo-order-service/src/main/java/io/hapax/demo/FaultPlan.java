package io.hapax.demo;

/**
 * The faults of a run.
 *
 * @param kills kills of the consumer while a batch is in flight
 * @param stops stops of the consumer for longer than its lease
 * @param storeRestarts kills and restarts of the store under a consumer
 * @param brokerRestarts kills and restarts of the broker
 */
record FaultPlan(int kills, int stops, int storeRestarts, int brokerRestarts) {

  private static final int MOST = 1_000;

  FaultPlan {
    DemoSettings.inRange("--kills", kills, 0, MOST);
    DemoSettings.inRange("--stops", stops, 0, MOST);
    DemoSettings.inRange("--store-restarts", storeRestarts, 0, MOST);
    DemoSettings.inRange("--broker-restarts", brokerRestarts, 0, MOST);
  }

  /** Returns a plan with kills only. */
  static FaultPlan kills(int count) {
    return new FaultPlan(count, 0, 0, 0);
  }

  /** Returns the number of faults that a consumer survives. */
  int survivable() {
    return stops + storeRestarts + brokerRestarts;
  }

  /** Returns the number of all faults. */
  int count() {
    return kills + survivable();
  }
}
