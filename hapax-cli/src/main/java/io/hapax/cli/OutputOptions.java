package io.hapax.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where results go, and how long to wait for them. */
final class OutputOptions {

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(20);

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Writes every count and sample there.")
  private @Nullable Path json;

  @Option(
      names = "--patience",
      paramLabel = "ISO",
      defaultValue = "PT1M",
      description = "How long to wait for a broker that does not answer (${DEFAULT-VALUE}).")
  private Duration patience;

  @SuppressWarnings("UnusedVariable") // picocli itself acts on it
  @Option(names = "--help", usageHelp = true, description = "Shows this.")
  private boolean help;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** Clients count it in milliseconds, as an {@code int}. */
  Duration patience() {
    if (patience.compareTo(SHORTEST) < 0 || patience.compareTo(LONGEST) > 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--patience is " + patience + " but must be from " + SHORTEST + " to " + LONGEST);
    }
    return patience;
  }

  /** Says it where a command answers, at once. */
  void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }

  /** Before hours of work end in a file that cannot be written. */
  void refuseUnwritable() {
    if (json == null) {
      return;
    }
    Path folder = json.toAbsolutePath().getParent();
    if (folder == null || !Files.isWritable(folder) || Files.isDirectory(json)) {
      throw new ParameterException(
          spec.commandLine(),
          "--json is " + json + " but must be a file in an existing folder that can be written to");
    }
  }

  void write(ReportJson report) throws IOException {
    if (json != null) {
      Files.writeString(json, report.text());
    }
  }
}
