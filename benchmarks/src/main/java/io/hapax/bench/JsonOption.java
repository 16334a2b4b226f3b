package io.hapax.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that writes the figures of a benchmark as JSON. */
final class JsonOption {

  @Option(names = "--json", paramLabel = "FILE", description = "Writes all figures to this file.")
  private @Nullable Path file;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Checks the file before anything is measured. */
  void refuseUnwritable() {
    if (file != null) {
      JsonFile.refuseUnwritable(file, command.commandLine());
    }
  }

  /** Writes the figures if the option was given. */
  void write(Supplier<Map<String, Object>> figures) throws IOException {
    if (file != null) {
      Files.write(file, JsonFile.bytes(figures.get()));
    }
  }
}
