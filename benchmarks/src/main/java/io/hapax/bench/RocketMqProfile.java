package io.hapax.bench;

import java.time.Duration;
import java.util.Locale;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

/** Samples a run of a listener: the CPU time by method, and the waits of its threads. */
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

  /** Returns the profile as text, of a consumer that has its listener and starts now. */
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
    try (ThreadSampler sampler = new ThreadSampler()) {
      meter.awaitLast(limit);
      long messages = Math.max(1, meter.count() - before);
      processes = Processes.now().since(then, messages);
      threads = sampler.text(messages);
    }
  }
}
