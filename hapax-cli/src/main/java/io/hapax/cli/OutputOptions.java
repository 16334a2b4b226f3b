package io.hapax.cli;

import io.hapax.console.operations.ReportJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the results and the waiting time. */
final class OutputOptions {

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(20);

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Writes all counts and samples to this file, or with - instead of the text.")
  private @Nullable Path json;

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "1m",
      description = "The longest wait for a broker that does not answer (${DEFAULT-VALUE}).")
  private Duration patience;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  Duration patience() {
    requirePossible(patience, spec);
    return patience;
  }

  /** Checks a patience. Clients take it in milliseconds as an {@code int}. */
  static void requirePossible(Duration patience, CommandSpec spec) {
    if (patience.compareTo(SHORTEST) < 0 || patience.compareTo(LONGEST) > 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--patience is " + patience + " but must be from " + SHORTEST + " to " + LONGEST
              + ", such as 5s");
    }
  }

  /** Prints text at once. */
  void print(String text) {
    if (!writesOut()) {
      HapaxCommand.print(spec, text);
    }
  }

  /** Returns whether the report takes the place of the text. */
  private boolean writesOut() {
    return json != null && json.toString().equals("-");
  }

  /** Prints why the result does not count. */
  int refuse(String why) {
    HapaxCommand.printError(spec.commandLine(), why);
    return HapaxCommand.NOT_FINISHED;
  }

  /** Refuses a file that cannot be written, before the command does hours of work. */
  void refuseUnwritable() {
    if (json == null || writesOut()) {
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
    if (writesOut()) {
      HapaxCommand.print(spec, report.text());
    } else if (json != null) {
      // foreign text may have characters without a UTF-8 form: writeString would refuse them
      Files.write(json, report.text().getBytes(StandardCharsets.UTF_8));
    }
  }
}
