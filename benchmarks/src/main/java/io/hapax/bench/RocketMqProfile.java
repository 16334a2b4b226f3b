package io.hapax.bench;

import java.time.Duration;
import java.util.Locale;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

/** A listener's leg, sampled: where its time goes, and what its threads wait for. */
final class RocketMqProfile implements HotSpots.Work {

  private final DefaultMQPushConsumer consumer;
  private final RocketMqMeter meter;
  private final Duration untilSteady;
  private final Duration limit;
  private String threads = "";
  private String processes = "";

  private RocketMqProfile(
      DefaultMQPushConsumer consumer, RocketMqMeter meter, Duration untilSteady, Duration limit) {
    this.consumer = consumer;
    this.meter = meter;
    this.untilSteady = untilSteady;
    this.limit = limit;
  }

  /** For people; of a consumer that is started now and has its listener. */
  static String of(
      DefaultMQPushConsumer consumer, RocketMqMeter meter, Duration untilSteady, Duration limit)
      throws Exception {
    RocketMqProfile profile = new RocketMqProfile(consumer, meter, untilSteady, limit);
    HotSpots spots = HotSpots.of(profile);
    return String.format(
        Locale.ROOT,
        "  CPU, us a message: %s%n%s%s",
        profile.processes,
        profile.threads,
        spots.text());
  }

  @Override
  public void run() throws Exception {
    consumer.start();
    meter.awaitSteady(untilSteady);
    Processes then = Processes.now();
    long before = meter.count();
    try (ThreadLooks looks = new ThreadLooks()) {
      meter.awaitLast(limit);
      long messages = Math.max(1, meter.count() - before);
      processes = Processes.now().since(then, messages);
      threads = looks.text(messages);
    }
  }
}
