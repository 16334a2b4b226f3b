package io.hapax.bench;

import io.hapax.bench.SpringListeners.Subject;
import java.util.List;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures Spring Kafka listeners on a real broker. Each reads the same topic from its beginning in
 * a group of its own, and all take turns. Committed records count.
 */
@Command(
    name = "spring",
    sortOptions = false,
    description = {
      "Measures the records a second that a @KafkaListener commits: bare, with a check by hand,"
          + " and with @Idempotent.",
      ""
    })
final class SpringCommand extends TurnsBenchmark {

  private static final int PARTITIONS = 4;
  private static final int CONCURRENCY = 1;

  /** Kafka's default of {@code max.poll.records}. */
  private static final int POLL = 500;

  @Option(names = "--messages", description = "Records of the topic (${DEFAULT-VALUE}).")
  private int messages = 400_000;

  private int groups;

  SpringCommand() {
    super(4, 3);
  }

  @Override
  void check() {
    super.check();
    between("--messages", messages, 100, 2_000_000);
  }

  @Override
  String measure(Machine machine) throws Exception {
    KafkaTopic topic = new KafkaTopic("orders", messages, PARTITIONS, 200);
    try (Servers servers = new Servers()) {
      topic.fill(servers.kafka());
      SpringListeners.createTables(servers.postgres());
      return text(
          machine,
          rates(List.of(Subject.values()), (subject, round) -> rate(servers, topic, subject)));
    }
  }

  /**
   * Measures a listener. In transactional mode the first poll of each partition runs in one-by-one
   * mode and does not count.
   */
  private double rate(Servers servers, KafkaTopic topic, Subject subject) throws Exception {
    clear(servers);
    CommitMeter meter = new CommitMeter(PARTITIONS, subject.idempotent() ? POLL : 1, messages);
    try (ConfigurableApplicationContext application =
        SpringListeners.start(servers, topic, subject, "bench-" + ++groups, CONCURRENCY, meter)) {
      return meter.rate(limit());
    }
  }

  /** Removes what listeners of earlier measurements have written. */
  private static void clear(Servers servers) throws Exception {
    servers.redis().fill(0);
    servers.postgres().execute("TRUNCATE TABLE spring_effects");
    servers.clear();
  }

  private String text(Machine machine, Map<Subject, Spread> rates) {
    StringBuilder text = new StringBuilder();
    text.append(heading("Spring Kafka listeners: records", machine));
    text.append(format(
        "  %,d records in %d partitions, concurrency %d; machine: %s, load %.1f%n%n",
        messages, PARTITIONS, CONCURRENCY, machine.text(), Machine.load()));
    text.append(format("  %-32s %11s %6s %22s%n", "", "records/s", "+-", "times its baseline"));
    rates.forEach((subject, spread) -> text.append(format(
        "  %-32s %,11.0f %4.0f %% %22s%n",
        subject.title(),
        spread.median(),
        spread.percent(),
        subject.times(rates).map(it -> format("%.2f", it)).orElse(""))));
    text.append(format(
        "%nThe first %d records of each partition do not count with @Idempotent: one-by-one mode.%n",
        POLL));
    return text.toString();
  }
}
