package io.hapax.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
final class RocketMqCommand extends TurnsBenchmark {

  /**
   * The time that is left out at the start. A wrapped listener first reads the brokers' settings
   * and creates its dead-letter topic, and any listener first pulls.
   */
  private static final Duration START = Duration.ofMillis(250);

  /** The measured listeners. */
  enum Subject {
    BARE("bare listener"),
    MEMORY("Hapax, marks in memory"),
    REDIS("Hapax, leased in Redis"),
    /** Marks and effects in one transaction of PostgreSQL. There are no effects here. */
    POSTGRES("Hapax, T1 in PostgreSQL"),
    /** A usual self-written check: SET NX, the handler, and SET for each message. */
    ONE_BY_ONE("Redis, each message by itself");

    private final String title;

    Subject(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  /** A measured listener, with or without the order of each queue, and its largest batch. */
  record Case(boolean orderly, int batch, Subject subject) {

    String situation() {
      return (orderly ? "orderly" : "concurrently") + ", batches of " + batch;
    }

    /** Returns another listener in the same situation. */
    Case of(Subject other) {
      return new Case(orderly, batch, other);
    }

    @Override
    public String toString() {
      return situation() + ", " + subject.title();
    }
  }

  @Option(names = "--messages", description = "Messages of the topic (${DEFAULT-VALUE}).")
  private int messages = 600_000;

  @Option(names = "--queues", description = "Its queues (${DEFAULT-VALUE}).")
  private int queues = 8;

  @Option(
      names = "--batch",
      split = ",",
      description = "consumeMessageBatchMaxSize (${DEFAULT-VALUE}).")
  private List<Integer> batches = List.of(1, 32);

  @Option(names = "--profile", description = "Shows the CPU time of a message in the last round.")
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
  String measure(Machine machine) throws Exception {
    configureClient();
    List<Case> cases = new ArrayList<>();
    for (boolean orderly : new boolean[] {false, true}) {
      for (int batch : batches) {
        for (Subject subject : Subject.values()) {
          cases.add(new Case(orderly, batch, subject));
        }
      }
    }
    try (RocketMqBroker broker = new RocketMqBroker();
        Servers stores = new Servers()) {
      stores.redis(); // so that no turn waits for their start
      stores.postgres();
      broker.fill(messages, queues);
      Map<Case, String> cpu = new LinkedHashMap<>();
      Map<Case, Spread> rates = rates(cases, (one, round) -> {
        Duration limit = round < 1 ? limit().dividedBy(2) : limit();
        RocketMqMeter meter = new RocketMqMeter(messages);
        DefaultMQPushConsumer consumer = broker.consumer(one.batch());
        try (RocketMqListener listener = new RocketMqListener(consumer, stores, meter)) {
          listener.register(one.subject(), one.orderly());
          consumer.start();
          double rate = meter.rate(untilSteady(one), limit);
          cpu.put(one, meter.cpu());
          return rate;
        }
      });
      if (profile) {
        cpu.forEach(
            (one, text) -> addProfile(one.subject().title() + ", " + one.situation(), text));
      }
      return text(machine, rates);
    }
  }

  /**
   * Returns the time to leave out. A transactional listener starts in one-by-one mode, which lasts
   * longer.
   */
  private static Duration untilSteady(Case one) {
    return one.subject() == Subject.POSTGRES
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

  private String text(Machine machine, Map<Case, Spread> rates) {
    StringBuilder text = new StringBuilder();
    text.append(heading("RocketMQ listeners: messages", machine));
    text.append(format(
        "  %,d messages in %d queues; machine: %s, load %.1f%n",
        messages, queues, machine.text(), Machine.load()));
    rates.forEach((one, spread) -> {
      if (one.subject() == Subject.BARE) {
        text.append(format("%n%s%n", one.situation()));
        text.append(format(
            "  %-32s %11s %6s %9s %13s%n", "", "messages/s", "+-", "of bare", "x one by one"));
      }
      Spread bare = Objects.requireNonNull(rates.get(one.of(Subject.BARE)));
      Spread oneByOne = Objects.requireNonNull(rates.get(one.of(Subject.ONE_BY_ONE)));
      text.append(format(
          "  %-32s %,11.0f %4.0f %% %7.0f %% %13.2f%n",
          one.subject().title(),
          spread.median(),
          spread.percent(),
          100 * spread.times(bare),
          spread.times(oneByOne)));
    });
    return text.toString();
  }
}
