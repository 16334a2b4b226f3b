package io.hapax.bench;

import java.time.Duration;
import java.util.List;

/**
 * The settings of a listener benchmark.
 *
 * @param messages messages of the topic, which each listener reads from its beginning
 * @param queues queues of the topic
 * @param batches the largest batches of a listener ({@code consumeMessageBatchMaxSize})
 * @param seconds the longest time of a measurement, from the first message on
 * @param warmUps rounds that do not count, half as long
 * @param rounds rounds that count
 */
record RocketMqSetup(
    int messages, int queues, List<Integer> batches, double seconds, int warmUps, int rounds) {

  private static final int MOST_MESSAGES = 1_000_000;

  RocketMqSetup {
    StoresSettings.between("--messages", messages, 100, MOST_MESSAGES);
    StoresSettings.between("--queues", queues, 1, 64);
    batches.forEach(batch -> StoresSettings.between("--batch", batch, 1, 1024));
    StoresSettings.between("--warm-ups", warmUps, 0, 100);
    StoresSettings.between("--rounds", rounds, 1, 100);
    if (!(seconds > 0 && seconds <= 600)) {
      throw new IllegalArgumentException(
          "--seconds is " + seconds + " but must be more than 0 and at most 600");
    }
    batches = List.copyOf(batches);
  }

  Duration limit() {
    return Duration.ofMillis((long) (seconds * 1000));
  }

  /** Returns the longest time of a round that does not count. */
  Duration warmUp() {
    return limit().dividedBy(2);
  }
}
