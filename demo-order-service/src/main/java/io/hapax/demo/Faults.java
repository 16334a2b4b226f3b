package io.hapax.demo;

/**
 * What a run does to its processes.
 *
 * @param kills how often the consumer is killed in mid-batch
 * @param storeRestarts how often the store is killed under a consumer and started again
 */
record Faults(int kills, int storeRestarts) {

  Faults {
    DemoSettings.inRange("--kills", kills, 0, 1_000);
    DemoSettings.inRange("--store-restarts", storeRestarts, 0, 1_000);
  }

  /** How many there are in all. */
  int count() {
    return kills + storeRestarts;
  }
}
