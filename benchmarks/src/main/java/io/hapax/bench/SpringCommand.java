package io.hapax.bench;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures listeners of Spring Kafka. */
@Command(
    name = "spring",
    sortOptions = false,
    description = {
      "Measures the records a second that a @KafkaListener commits: bare, with a check by hand,"
          + " and with @Idempotent.",
      ""
    })
final class SpringCommand implements Callable<Integer> {

  @Option(
      names = "--messages",
      paramLabel = "N",
      defaultValue = "400000",
      description = "Records of the topic (${DEFAULT-VALUE}).")
  private int messages;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "4",
      description = "Its partitions (${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      defaultValue = "1",
      description = "Consumers of a listener (${DEFAULT-VALUE}).")
  private int concurrency;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "4",
      description = "The longest measurement of a listener (${DEFAULT-VALUE}).")
  private double seconds;

  @Mixin
  private RoundOptions turns;

  @Mixin
  private JsonOption json;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private HelpOption help;

  @Spec
  private CommandSpec spec;

  private SpringSetup setup() {
    try {
      return new SpringSetup(messages, partitions, concurrency, turns.length(seconds));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  @Override
  public Integer call() throws Exception {
    SpringSetup setup = setup();
    json.refuseUnwritable();
    Instant date = Instant.now();
    var rates = new SpringBenchmark(setup, spec.commandLine().getErr()).run();
    SpringReport report =
        new SpringReport(date, setup, Machine.description(), Machine.load(), rates);
    PrintWriter out = spec.commandLine().getOut();
    out.print(report.text());
    out.flush();
    json.write(report::json);
    return 0;
  }
}
