package io.hapax.bench;

import java.time.Duration;

/**
 * The length of a measurement in turns.
 *
 * @param seconds the longest time of a turn
 * @param warmUps rounds that do not count
 * @param rounds rounds that count
 */
record TurnLength(double seconds, int warmUps, int rounds) {

  TurnLength {
    StoresSettings.between("--warm-ups", warmUps, 0, 100);
    StoresSettings.between("--rounds", rounds, 1, 100);
    if (!(seconds > 0 && seconds <= 600)) {
      throw new IllegalArgumentException(
          "--seconds is " + seconds + " but must be more than 0 and at most 600");
    }
  }

  /** Returns the longest time of a turn of a consumer. */
  Duration limit() {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /** Returns the least time of a turn without Kafka, which needs no start. */
  Duration alone() {
    return limit().dividedBy(2);
  }
}
