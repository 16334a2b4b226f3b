package io.hapax.bench;

import io.hapax.bench.RateTable.Ratio;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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

  /** The same for a transactional listener, which starts in one-by-one mode. */
  private static final Duration ONE_BY_ONE_MODE =
      Duration.ofMillis(2L * RocketMqBroker.PERSIST_MILLIS);

  enum Subject implements RateTable.Subject {
    BARE("bare listener", StoreKind.MEMORY),
    MEMORY("Hapax, marks in memory", StoreKind.MEMORY),
    REDIS("Hapax, leased in Redis", StoreKind.REDIS),
    /** Marks and effects in one transaction of PostgreSQL. There are no effects here. */
    POSTGRES("Hapax, T1 in PostgreSQL", StoreKind.POSTGRES),
    /** A usual self-written check: SET NX, the handler, and SET for each message. */
    ONE_BY_ONE("Redis, each message by itself", StoreKind.REDIS);

    private final String title;
    private final StoreKind store;

    Subject(String title, StoreKind store) {
      this.title = title;
      this.store = store;
    }

    StoreKind store() {
      return store;
    }

    @Override
    public String title() {
      return title;
    }
  }

  /** A measured listener, with or without the order of each queue, and its largest batch. */
  record Case(boolean orderly, int batch, Subject subject) {

    String situation() {
      return (orderly ? "orderly" : "concurrently") + ", batches of " + batch;
    }

    @Override
    public String toString() {
      return situation() + ", " + subject.title();
    }
  }

  private static final RateTable<Subject> TABLE = new RateTable<>(
      32,
      "messages",
      List.of(
          new Ratio<>("of bare", 9, true, it -> Optional.of(Subject.BARE)),
          new Ratio<>("x one by one", 13, false, it -> Optional.of(Subject.ONE_BY_ONE))));

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
    List<Case> cases = Stream.of(false, true)
        .flatMap(orderly -> batches.stream()
            .flatMap(batch ->
                Stream.of(Subject.values()).map(subject -> new Case(orderly, batch, subject))))
        .toList();
    try (RocketMqBroker broker = new RocketMqBroker();
        Servers stores = new Servers()) {
      stores.redis(); // so that no turn waits for their start
      stores.postgres();
      broker.fill(messages, queues);
      Map<Case, String> cpu = new LinkedHashMap<>();
      Map<Case, Spread> rates = rates(cases, (one, round) -> {
        DefaultMQPushConsumer consumer = broker.consumer(one.batch());
        try (RocketMqListener listener = new RocketMqListener(consumer, stores, messages)) {
          listener.register(one.subject(), one.orderly());
          consumer.start();
          Duration start = one.subject() == Subject.POSTGRES ? ONE_BY_ONE_MODE : START;
          double rate = listener.rate(start, round < 1 ? limit().dividedBy(2) : limit());
          cpu.put(one, listener.cpu());
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

  /** Sets the client's log and its intervals for new groups, before its first class is loaded. */
  private static void configureClient() throws IOException {
    Path logs = Files.createTempDirectory("hapax-bench-rocketmq-");
    System.setProperty("rocketmq.log.root", logs.toString());
    System.setProperty("rocketmq.log.level", "WARN");
    System.setProperty("rocketmq.client.rebalance.waitInterval", "1000");
    System.setProperty("rocketmq.client.rebalance.minInterval", "200");
  }

  private String text(Machine machine, Map<Case, Spread> rates) {
    String sizes = format("%,d messages in %d queues;", messages, queues);
    StringBuilder text = new StringBuilder(heading("RocketMQ listeners: messages", sizes, machine));
    Map<String, Map<Subject, Spread>> situations = new LinkedHashMap<>();
    rates.forEach((one, spread) -> situations
        .computeIfAbsent(one.situation(), same -> new EnumMap<>(Subject.class))
        .put(one.subject(), spread));
    situations.forEach((situation, measured) ->
        text.append(format("%n%s%n", situation)).append(TABLE.text(measured)));
    return text.toString();
  }
}
