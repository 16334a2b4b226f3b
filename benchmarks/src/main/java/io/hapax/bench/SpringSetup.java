package io.hapax.bench;

import java.time.Duration;

/**
 * The settings of a benchmark of Spring listeners.
 *
 * @param messages records of the topic, which each listener reads from its beginning
 * @param partitions partitions of the topic
 * @param concurrency consumers of a listener
 * @param seconds the longest time of a measurement
 * @param warmUps rounds that do not count
 * @param rounds rounds that count
 */
record SpringSetup(
    int messages, int partitions, int concurrency, double seconds, int warmUps, int rounds) {

  SpringSetup {
    StoresSettings.between("--messages", messages, 100, 2_000_000);
    StoresSettings.between("--partitions", partitions, 1, 64);
    StoresSettings.between("--concurrency", concurrency, 1, partitions);
    StoresSettings.between("--warm-ups", warmUps, 0, 100);
    StoresSettings.between("--rounds", rounds, 1, 100);
    if (!(seconds > 0 && seconds <= 600)) {
      throw new IllegalArgumentException(
          "--seconds is " + seconds + " but must be more than 0 and at most 600");
    }
  }

  Duration limit() {
    return Duration.ofMillis((long) (seconds * 1000));
  }
}
