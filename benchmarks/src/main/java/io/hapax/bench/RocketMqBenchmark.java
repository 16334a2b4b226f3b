package io.hapax.bench;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;

/**
 * Measures listeners of a real broker. Each reads the same topic from its beginning in its own
 * group, and all take turns. Acknowledged messages count.
 */
final class RocketMqBenchmark {

  /**
   * The interval in which offsets are written. It is long enough that no queue is silent for twice
   * as long. After such a silence a transactional listener uses one-by-one mode again.
   */
  private static final int PERSIST_MILLIS = 500;

  /**
   * The time that is left out at the start. A wrapped listener first reads the brokers' settings
   * and creates its dead-letter topic, and any listener first pulls.
   */
  private static final Duration START = Duration.ofMillis(250);

  private final RocketMqSetup setup;
  private final PrintWriter progress;
  private final boolean profiled;
  private final List<String> profiles = new ArrayList<>();
  private int groups;

  /**
   * Creates a benchmark.
   *
   * @param profiled whether each listener is sampled afterwards
   */
  RocketMqBenchmark(RocketMqSetup setup, PrintWriter progress, boolean profiled) {
    this.setup = setup;
    this.progress = progress;
    this.profiled = profiled;
  }

  /** Returns the messages a second of each subject in each situation. */
  Map<RocketMqSituation, Map<RocketMqSubject, Spread>> run() throws Exception {
    Map<RocketMqSituation, Map<RocketMqSubject, List<Double>>> rates = new LinkedHashMap<>();
    try (RocketMqServers servers = new RocketMqServers()) {
      servers.fill(setup);
      for (int round = 1 - setup.warmUps(); round <= setup.rounds(); round++) {
        for (RocketMqSituation situation : RocketMqSituation.of(setup)) {
          Map<RocketMqSubject, List<Double>> here =
              rates.computeIfAbsent(situation, same -> new EnumMap<>(RocketMqSubject.class));
          for (RocketMqSubject subject : RocketMqSubject.values()) {
            Duration limit = round < 1 ? setup.warmUp() : setup.limit();
            double rate = rate(servers, situation, subject, limit);
            if (round > 0) {
              here.computeIfAbsent(subject, same -> new ArrayList<>()).add(rate);
            }
          }
        }
        progress.println("bench: round " + round + " of " + setup.rounds());
        progress.flush();
      }
      if (profiled) {
        profile(servers);
      }
    }
    Map<RocketMqSituation, Map<RocketMqSubject, Spread>> spreads = new LinkedHashMap<>();
    rates.forEach((situation, here) -> {
      Map<RocketMqSubject, Spread> spread = new EnumMap<>(RocketMqSubject.class);
      here.forEach((subject, values) -> spread.put(subject, Spread.of(values)));
      spreads.put(situation, spread);
    });
    return spreads;
  }

  private double rate(
      RocketMqServers servers, RocketMqSituation situation, RocketMqSubject subject, Duration limit)
      throws Exception {
    RocketMqMeter meter = new RocketMqMeter(setup.messages());
    DefaultMQPushConsumer consumer = consumer(servers, situation);
    try (RocketMqListener listener = new RocketMqListener(consumer, servers, meter)) {
      listener.register(subject, situation.orderly());
      consumer.start();
      return meter.rate(untilSteady(subject), limit);
    }
  }

  /** Profiles a run of each listener that does not count. */
  private void profile(RocketMqServers servers) throws Exception {
    for (RocketMqSituation situation : RocketMqSituation.of(setup)) {
      for (RocketMqSubject subject : RocketMqSubject.values()) {
        RocketMqMeter meter = new RocketMqMeter(setup.messages());
        DefaultMQPushConsumer consumer = consumer(servers, situation);
        try (RocketMqListener listener = new RocketMqListener(consumer, servers, meter)) {
          listener.register(subject, situation.orderly());
          profiles.add(String.format(
              Locale.ROOT,
              "%nProfile: %s, %s%n%s",
              subject.title(),
              situation.title(),
              RocketMqProfile.of(consumer, meter, untilSteady(subject), setup.limit())));
        }
      }
    }
  }

  /** Returns the profiles as text; empty unless requested. */
  List<String> profiles() {
    return profiles;
  }

  /**
   * Returns the time to leave out. A transactional listener starts in one-by-one mode, which lasts
   * longer.
   */
  private static Duration untilSteady(RocketMqSubject subject) {
    return subject == RocketMqSubject.POSTGRES ? Duration.ofMillis(2L * PERSIST_MILLIS) : START;
  }

  private DefaultMQPushConsumer consumer(RocketMqServers servers, RocketMqSituation situation)
      throws MQClientException {
    String group = "bench-" + ++groups;
    DefaultMQPushConsumer consumer = servers.connected(new DefaultMQPushConsumer(group));
    consumer.setInstanceName(group);
    consumer.setPersistConsumerOffsetInterval(PERSIST_MILLIS);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setConsumeMessageBatchMaxSize(situation.batch());
    consumer.subscribe(RocketMqServers.TOPIC, "*");
    return consumer;
  }
}
