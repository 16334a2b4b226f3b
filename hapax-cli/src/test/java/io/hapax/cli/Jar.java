package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the packaged jar as {@code java -jar} does, and keeps its output. */
final class Jar {

  static final String PATH = System.getProperty("hapax.jar");

  private final Path home;
  private final Path out;
  private final Path err;
  private final List<String> always;

  /** Creates a runner with options that are appended to each command. */
  Jar(Path folder, String... always) throws IOException {
    this.home = Files.createDirectories(folder.resolve("home"));
    this.out = folder.resolve("out");
    this.err = folder.resolve("err");
    this.always = Console.words(always);
  }

  /** Returns the exit code. */
  int run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Duser.home=" + home,
        "-Djava.io.tmpdir=" + home,
        "-jar",
        PATH));
    command.addAll(Console.words(arguments));
    command.addAll(always);
    Process process = new ProcessBuilder(command)
        .redirectOutput(out.toFile())
        .redirectError(err.toFile())
        .start();
    try {
      assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("it ends").isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Returns the output of the last run. */
  String out() throws IOException {
    return Files.readString(out);
  }

  /** Returns the errors of the last run. */
  String err() throws IOException {
    return Files.readString(err);
  }

  /** Returns the user's home, which is also the temporary directory. */
  Path home() {
    return home;
  }
}
