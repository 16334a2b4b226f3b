package io.hapax.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures listeners of RocketMQ. */
@Command(
    name = "rocketmq",
    sortOptions = false,
    description = {
      "Measures the messages a second that a RocketMQ listener acknowledges: bare, wrapped with"
          + " each store, and with a check that asks Redis message by message.",
      ""
    })
final class RocketMqCommand implements Callable<Integer> {

  @Option(
      names = "--messages",
      paramLabel = "N",
      defaultValue = "600000",
      description = "Messages of the topic (${DEFAULT-VALUE}).")
  private int messages;

  @Option(
      names = "--queues",
      paramLabel = "N",
      defaultValue = "8",
      description = "Its queues (${DEFAULT-VALUE}).")
  private int queues;

  @Option(
      names = "--batch",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,32",
      description = "consumeMessageBatchMaxSize (${DEFAULT-VALUE}).")
  private List<Integer> batches = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "2",
      description = "The longest measurement of a listener (${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warm-ups",
      paramLabel = "N",
      defaultValue = "1",
      description = "Warm-up rounds, half as long (${DEFAULT-VALUE}).")
  private int warmUps;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "2",
      description = "Rounds that count (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--profile",
      description =
          "Runs each listener once more with a profiler, and shows where time goes and what its"
              + " threads wait for.")
  private boolean profile;

  @Mixin
  private JsonOption json;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private HelpOption help;

  @Spec
  private CommandSpec spec;

  private RocketMqSetup setup() {
    try {
      return new RocketMqSetup(messages, queues, batches, seconds, warmUps, rounds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  @Override
  public Integer call() throws Exception {
    RocketMqSetup setup = setup();
    json.refuseUnwritable();
    configureClient();
    Instant date = Instant.now();
    RocketMqBenchmark benchmark =
        new RocketMqBenchmark(setup, spec.commandLine().getErr(), profile);
    var rates = benchmark.run();
    RocketMqReport report =
        new RocketMqReport(date, setup, Machine.description(), Machine.load(), rates);
    PrintWriter out = spec.commandLine().getOut();
    out.print(report.text());
    benchmark.profiles().forEach(out::print);
    out.flush();
    json.write(report::json);
    return 0;
  }

  /** Sets the client's log and its intervals for new groups, before its first class is loaded. */
  private static void configureClient() throws IOException {
    Path logs = Files.createTempDirectory("hapax-bench-rocketmq-");
    System.setProperty("rocketmq.log.root", logs.toString());
    System.setProperty("rocketmq.log.level", "WARN");
    System.setProperty("rocketmq.client.rebalance.waitInterval", "1000");
    System.setProperty("rocketmq.client.rebalance.minInterval", "200");
  }
}
