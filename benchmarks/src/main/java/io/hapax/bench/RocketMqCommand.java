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
      "Measures how many messages a second a RocketMQ listener acknowledges: bare, wrapped with each"
          + " store, and with a dedup that asks Redis for each message by itself.",
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
      description = "How long each is measured at most (${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warm-ups",
      paramLabel = "N",
      defaultValue = "1",
      description = "Rounds that do not count, half as long (${DEFAULT-VALUE}).")
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
          "Lets each listener run once more, sampled, and says where time goes and what its"
              + " threads wait for.")
  private boolean profile;

  @Mixin
  private JsonOption json;

  @SuppressWarnings("UnusedVariable") // picocli itself acts on it
  @Option(names = "--help", usageHelp = true, description = "Shows this.")
  private boolean help;

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
    tameClient();
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

  /** Before its first class is loaded: its log, and how fast it notices a new group. */
  private static void tameClient() throws IOException {
    Path logs = Files.createTempDirectory("hapax-bench-rocketmq-");
    System.setProperty("rocketmq.log.root", logs.toString());
    System.setProperty("rocketmq.log.level", "WARN");
    System.setProperty("rocketmq.client.rebalance.waitInterval", "1000");
    System.setProperty("rocketmq.client.rebalance.minInterval", "200");
  }
}
