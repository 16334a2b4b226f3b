package io.hapax.demo;

/**
 * What a run does to its processes.
 *
 * @param kills how often the consumer is killed in mid-batch
 * @param stops how often it is stopped for longer than its lease, and goes on
 * @param storeRestarts how often the store is killed under a consumer and started again
 * @param brokerRestarts how often the broker is
 */
record Faults(int kills, int stops, int storeRestarts, int brokerRestarts) {

  private static final int MOST = 1_000;

  Faults {
    DemoSettings.inRange("--kills", kills, 0, MOST);
    DemoSettings.inRange("--stops", stops, 0, MOST);
    DemoSettings.inRange("--store-restarts", storeRestarts, 0, MOST);
    DemoSettings.inRange("--broker-restarts", brokerRestarts, 0, MOST);
  }

  /** So many kills and nothing else. */
  static Faults kills(int count) {
    return new Faults(count, 0, 0, 0);
  }

  /** How many a consumer survives. */
  int blows() {
    return stops + storeRestarts + brokerRestarts;
  }

  /** How many there are in all. */
  int count() {
    return kills + blows();
  }
}
