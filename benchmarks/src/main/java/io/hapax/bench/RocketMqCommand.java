package io.hapax.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures listeners of a real broker. Each reads the same topic from its beginning in its own
 * group, and all take turns. Acknowledged messages count.
 */
@Command(
    name = "rocketmq",
    sortOptions = false,
    description = {
      "Measures the messages a second that a RocketMQ listener acknowledges: bare, wrapped with"
          + " each store, and with a check that asks Redis message by message. Warm-up rounds are"
          + " half as long.",
      ""
    })
final class RocketMqCommand extends TurnsBenchmark<Map<RocketMqCase, Spread>> {

  /**
   * The time that is left out at the start. A wrapped listener first reads the brokers' settings
   * and creates its dead-letter topic, and any listener first pulls.
   */
  private static final Duration START = Duration.ofMillis(250);

  @Option(names = "--messages", description = "Messages of the topic (${DEFAULT-VALUE}).")
  private int messages = 600_000;

  @Option(names = "--queues", description = "Its queues (${DEFAULT-VALUE}).")
  private int queues = 8;

  @Option(
      names = "--batch",
      split = ",",
      description = "consumeMessageBatchMaxSize (${DEFAULT-VALUE}).")
  private List<Integer> batches = List.of(1, 32);

  @Option(
      names = "--profile",
      description = "Runs each listener once more with a profiler, and shows where time goes.")
  private boolean profile;

  RocketMqCommand() {
    super(2, 2);
  }

  @Override
  void check() {
    super.check();
    between("--messages", messages, 100, 1_000_000);
    between("--queues", queues, 1, 64);
    batches.forEach(batch -> between("--batch", batch, 1, 1024));
  }

  @Override
  Map<RocketMqCase, Spread> measure() throws Exception {
    configureClient();
    List<RocketMqCase> cases = new ArrayList<>();
    for (boolean orderly : new boolean[] {false, true}) {
      for (int batch : batches) {
        for (RocketMqSubject subject : RocketMqSubject.values()) {
          cases.add(new RocketMqCase(orderly, batch, subject));
        }
      }
    }
    try (RocketMqBroker broker = new RocketMqBroker();
        Servers stores = new Servers()) {
      stores.start();
      broker.fill(messages, queues);
      Map<RocketMqCase, Spread> rates = rates(cases, (one, round) -> {
        Duration limit = round < 1 ? limit().dividedBy(2) : limit();
        return listening(broker, stores, one, meter -> meter.rate(untilSteady(one), limit));
      });
      if (profile) {
        for (RocketMqCase one : cases) {
          addProfile(
              one.subject().title() + ", " + one.situation(),
              listening(broker, stores, one, meter -> profile(meter, untilSteady(one))));
        }
      }
      return rates;
    }
  }

  /** Observes a listener. */
  private interface Observation<T> {
    T of(RocketMqMeter meter) throws Exception;
  }

  private <T> T listening(
      RocketMqBroker broker, Servers stores, RocketMqCase one, Observation<T> observation)
      throws Exception {
    RocketMqMeter meter = new RocketMqMeter(messages);
    DefaultMQPushConsumer consumer = broker.consumer(one.batch());
    try (RocketMqListener listener = new RocketMqListener(consumer, stores, meter)) {
      listener.register(one.subject(), one.orderly());
      consumer.start();
      return observation.of(meter);
    }
  }

  private String profile(RocketMqMeter meter, Duration untilSteady) throws Exception {
    meter.awaitSteady(untilSteady);
    return ConsumerProfile.of(() -> {
      long before = meter.count();
      meter.awaitLast(limit());
      return meter.count() - before;
    });
  }

  /**
   * Returns the time to leave out. A transactional listener starts in one-by-one mode, which lasts
   * longer.
   */
  private static Duration untilSteady(RocketMqCase one) {
    return one.subject() == RocketMqSubject.POSTGRES
        ? Duration.ofMillis(2L * RocketMqBroker.PERSIST_MILLIS)
        : START;
  }

  /** Sets the client's log and its intervals for new groups, before its first class is loaded. */
  private static void configureClient() throws IOException {
    Path logs = Files.createTempDirectory("hapax-bench-rocketmq-");
    System.setProperty("rocketmq.log.root", logs.toString());
    System.setProperty("rocketmq.log.level", "WARN");
    System.setProperty("rocketmq.client.rebalance.waitInterval", "1000");
    System.setProperty("rocketmq.client.rebalance.minInterval", "200");
  }

  @Override
  String text(Machine machine, Map<RocketMqCase, Spread> rates) {
    return format(
            "%nHapax, RocketMQ listeners: messages a second, median of %d rounds of at most %.1f s; %s%n",
            rounds(), seconds(), machine.date())
        + format(
            "  %,d messages in %d queues; machine: %s, load %.1f%n",
            messages, queues, machine.text(), Machine.load())
        + new RocketMqReport(rates).text();
  }
}
