package io.hapax.bench;

import io.hapax.bench.RateTable.Ratio;
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

  /** Kafka's default of {@code max.poll.records}. */
  private static final int POLL = 500;

  private static final RateTable<Subject> TABLE = new RateTable<>(
      32, "records", List.of(new Ratio<>("times its baseline", 22, false, Subject::baseline)));

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
    KafkaTopic topic = new KafkaTopic(SpringListeners.TOPIC, messages, PARTITIONS, 200);
    try (Servers servers = new Servers()) {
      topic.fill(servers.kafka());
      servers.postgres().execute("CREATE TABLE spring_effects (order_id TEXT NOT NULL)");
      Map<Subject, Spread> rates =
          rates(List.of(Subject.values()), (subject, round) -> rate(servers, subject));
      String sizes = format("%,d records in %d partitions, concurrency 1;", messages, PARTITIONS);
      return heading("Spring Kafka listeners: records", sizes, machine)
          + format("%n%s%n", TABLE.text(rates))
          + format(
              "The first %d records of each partition do not count with @Idempotent: one-by-one"
                  + " mode.%n",
              POLL);
    }
  }

  /**
   * Measures a listener. In transactional mode the first poll of each partition runs in one-by-one
   * mode and does not count.
   */
  private double rate(Servers servers, Subject subject) throws Exception {
    servers.redis().fill(0);
    servers.postgres().execute("TRUNCATE TABLE spring_effects");
    servers.clear();
    CommitMeter meter = new CommitMeter(PARTITIONS, subject.idempotent() ? POLL : 1, messages);
    try (ConfigurableApplicationContext application =
        SpringListeners.start(servers, subject, "bench-" + ++groups, meter)) {
      return meter.rate(limit());
    }
  }
}
