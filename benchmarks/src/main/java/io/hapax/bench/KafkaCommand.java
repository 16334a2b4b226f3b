package io.hapax.bench;

import io.hapax.bench.KafkaLatencyTurn.Latency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures consumers of a real broker. Each reads the same topic from its beginning in its own
 * group, and all take turns with the engine and the stores alone. Committed records count.
 */
@Command(
    name = "kafka",
    sortOptions = false,
    description = {
      "Measures the records a second that consumers of Kafka commit: a bare poll loop, a"
          + " KafkaReceiver with each store, loops that users write, and a replay of known records."
          + " The engine and the stores alone take turns with them, for half of --seconds.",
      "",
      "Then measures the latency from the append of a record to the end of its handler.",
      ""
    })
final class KafkaCommand extends TurnsBenchmark {

  private static final int PARTITIONS = 4;
  private static final int VALUE_BYTES = 200;

  @Option(
      names = "--subject",
      split = ",",
      description = "Any of ${COMPLETION-CANDIDATES}; all by default.")
  private List<KafkaSubject> subjects = List.of(KafkaSubject.values());

  @Option(names = "--records", description = "Records of the topic (${DEFAULT-VALUE}).")
  private int records = 1_000_000;

  @Option(
      names = "--poll",
      description = "max.poll.records, and the batch of the stores alone (${DEFAULT-VALUE}).")
  private int poll = 500;

  @Option(
      names = "--latency",
      split = ",",
      description = "Records a second of the latency measurements (${DEFAULT-VALUE}).")
  private List<Integer> latencies = List.of(1_000, 10_000);

  @Option(names = "--no-latency", description = "Measures no latency.")
  private boolean noLatency;

  private int latencyTopics;

  KafkaCommand() {
    super(2, 3);
  }

  @Override
  void check() {
    super.check();
    between("--records", records, 100, 10_000_000);
    between("--poll", poll, 1, 5000);
    latencies.forEach(rate -> between("--latency", rate, 1, 100_000));
  }

  private KafkaTopic topic(String name) {
    return new KafkaTopic(name, records, PARTITIONS, VALUE_BYTES);
  }

  @Override
  String measure(Machine machine) throws Exception {
    List<KafkaSubject> all = subjects.stream().distinct().sorted().toList();
    List<KafkaSubject> fresh = all.stream().filter(it -> !it.replays()).toList();
    List<KafkaSubject> replays = all.stream().filter(KafkaSubject::replays).toList();
    KafkaTopic topic = topic("orders");
    try (Servers servers = new Servers();
        KafkaTurns turns = new KafkaTurns(topic, poll, limit(), servers)) {
      topic.fill(servers.kafka());
      tell("topic filled");
      turns.fill(fresh, StoresCommand.KNOWN_AT_LEAST);
      Map<KafkaSubject, Spread> rates = rates(fresh, (subject, round) -> turns.rate(subject));
      Map<Integer, Map<KafkaSubject, Latency>> measured = new LinkedHashMap<>();
      for (int rate : noLatency ? List.<Integer>of() : latencies) {
        measured.put(rate, latencies(rate, turns, servers, fresh));
      }
      if (!replays.isEmpty()) {
        turns.fill(replays, records);
        rates.putAll(rates(replays, (subject, round) -> turns.rate(subject)));
      }
      String sizes = format(
          "%,d records of %d bytes in %d partitions, max.poll.records %d; stores alone: batches of %d,"
              + " %d threads%n ",
          records, VALUE_BYTES, PARTITIONS, poll, poll, KafkaTurns.THREADS);
      return heading("Kafka: records", sizes, machine)
          + servers.settings()
          + new KafkaReport(rates, measured).text();
    }
  }

  private Map<KafkaSubject, Latency> latencies(
      int rate, KafkaTurns turns, Servers servers, List<KafkaSubject> fresh) throws Exception {
    List<KafkaSubject> measured =
        fresh.stream().filter(KafkaSubject::hasLatency).toList();
    Turn<KafkaSubject, Latency> turn = (subject, round) -> {
      servers.clear();
      KafkaTopic topic = topic("latency-" + ++latencyTopics);
      Latency latency =
          new KafkaLatencyTurn(topic, rate, seconds()).measure(subject, turns, servers);
      tell("round %d, %s, %,d records/s: p99 %.2f ms", round, subject, rate, latency.p99Millis());
      return latency;
    };
    return turns(0, rounds(), measured, turn, Latency::median);
  }
}
