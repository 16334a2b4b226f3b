package io.hapax.bench;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures consumers of Kafka. */
@Command(
    name = "kafka",
    sortOptions = false,
    description = {
      "Measures the records a second that consumers of Kafka commit: a bare poll loop, a"
          + " KafkaReceiver with each store, loops that users write, and a replay of known records."
          + " The engine and the stores alone take turns with them.",
      "",
      "Then measures the latency from the append of a record to the end of its handler.",
      ""
    })
final class KafkaCommand implements Callable<Integer> {

  @Option(
      names = "--subject",
      paramLabel = "SUBJECT",
      split = ",",
      description = "Any of ${COMPLETION-CANDIDATES}; all by default.")
  private List<KafkaSubject> subjects = List.of(KafkaSubject.values());

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Records of the topic (${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "4",
      description = "Its partitions (${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      defaultValue = "200",
      description = "The length of a record's value (${DEFAULT-VALUE}).")
  private int valueBytes;

  @Option(
      names = "--poll",
      paramLabel = "N",
      defaultValue = "500",
      description = "max.poll.records, and the batch of the stores alone (${DEFAULT-VALUE}).")
  private int poll;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Threads that call a store alone, as many as a receiver has workers (${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "2",
      description = "The longest measurement of a consumer; half of it for a store alone"
          + " (${DEFAULT-VALUE}).")
  private double seconds;

  @Mixin
  private RoundOptions turns;

  @Option(
      names = "--latency",
      paramLabel = "N",
      split = ",",
      defaultValue = "1000,10000",
      description = "Records a second of the latency measurements (${DEFAULT-VALUE}).")
  private List<Integer> latencies = List.of();

  @Option(names = "--no-latency", description = "Measures no latency.")
  private boolean noLatency;

  @Option(
      names = "--profile",
      description =
          "Runs each consumer once more with a profiler, and shows where time goes and what its"
              + " threads wait for.")
  private boolean profile;

  @Mixin
  private JsonOption json;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private HelpOption help;

  @Spec
  private CommandSpec spec;

  private KafkaSetup setup() {
    try {
      return new KafkaSetup(
          new KafkaTopic("orders", records, partitions, valueBytes),
          subjects,
          poll,
          threads,
          turns.length(seconds),
          noLatency ? List.of() : latencies);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  @Override
  public Integer call() throws Exception {
    KafkaSetup setup = setup();
    json.refuseUnwritable();
    KafkaResults results = new KafkaBenchmark(setup, spec.commandLine().getErr(), profile).run();
    KafkaReport report = new KafkaReport(setup, Machine.description(), Machine.load(), results);
    PrintWriter out = spec.commandLine().getOut();
    out.print(report.text());
    results.profiles().forEach(out::print);
    out.flush();
    json.write(() -> KafkaJson.of(report));
    return 0;
  }
}
