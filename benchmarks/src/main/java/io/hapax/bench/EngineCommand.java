package io.hapax.bench;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the engine. */
@Command(
    name = "engine",
    sortOptions = false,
    description = {
      "Measures the cost of a message in the engine: with the in-memory store, handlers that do"
          + " nothing, and one submission after the other. The store is measured separately.",
      ""
    })
final class EngineCommand implements Callable<Integer> {

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "500",
      description = "Messages of a submission (${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--lanes",
      paramLabel = "N",
      defaultValue = "8",
      description = "Lanes of a submission (${DEFAULT-VALUE}).")
  private int lanes;

  @Option(
      names = "--messages",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Messages of a round (${DEFAULT-VALUE}).")
  private int messages;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "10",
      description = "Rounds that count, after as many warm-up rounds (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--profile",
      description = "Runs more rounds with a profiler, and shows where time and bytes go.")
  private boolean profile;

  @Mixin
  private JsonOption json;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private HelpOption help;

  @Spec
  private CommandSpec spec;

  private EngineSetup setup() {
    try {
      return new EngineSetup(batch, lanes, messages, rounds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  @Override
  public Integer call() throws Exception {
    EngineSetup setup = setup();
    json.refuseUnwritable();
    Instant date = Instant.now();
    EngineBenchmark benchmark = new EngineBenchmark(setup);
    Map<EngineSubject, EngineCost> costs = benchmark.run();
    EngineReport report =
        new EngineReport(date, setup, Machine.description(), Machine.load(), costs);
    PrintWriter out = spec.commandLine().getOut();
    out.print(report.text());
    if (profile) {
      profile(benchmark, out);
    }
    out.flush();
    json.write(report::json);
    return 0;
  }

  private static void profile(EngineBenchmark benchmark, PrintWriter out) throws Exception {
    for (EngineSubject subject : EngineSubject.values()) {
      out.println("\nProfile: " + subject.title());
      out.print(benchmark.profile(subject).text());
    }
  }
}
