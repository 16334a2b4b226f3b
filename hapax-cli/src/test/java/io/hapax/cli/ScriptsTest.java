package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the scripts in a fresh clone, with a Maven that fails after it has built one module. */
class ScriptsTest {

  private static final Path ROOT = Path.of("..");

  private static final String MAVEN = """
      #!/usr/bin/env bash
      for file in {1..50}; do echo "[INFO] Downloaded from central: $file.jar (1.1 MB at 3 MB/s)"; done
      echo "[INFO] Building Hapax: core 0.1.0-SNAPSHOT                            [2/8]"
      echo "[INFO] --- compiler:3.14.1:compile (default-compile) @ consumer-core ---"
      echo "[ERROR] COMPILATION ERROR"
      exit 1
      """;

  @TempDir
  private Path clone;

  @BeforeEach
  void copy() throws IOException {
    Files.createDirectories(clone.resolve(".mvn"));
    Files.createDirectories(clone.resolve("hapax-cli/help"));
    for (String file :
        List.of("hapax", "demo", "chaos", "bench", ".mvn/progress.bash", ".mvn/launch.bash")) {
      put(file);
    }
    for (String page : List.of("hapax", "redrive")) {
      put("hapax-cli/help/" + page + ".txt");
    }
    Path maven = Files.writeString(clone.resolve("mvnw"), MAVEN);
    assertThat(maven.toFile().setExecutable(true)).isTrue();
  }

  /** Copies a file. It may be missing, as in older versions. */
  private void put(String file) throws IOException {
    if (Files.exists(ROOT.resolve(file))) {
      Files.copy(ROOT.resolve(file), clone.resolve(file));
    }
  }

  /** The result of a run. */
  private record Run(int exitCode, String out, String err) {}

  private Run run(String... command) throws Exception {
    List<String> typed = new ArrayList<>(List.of("bash"));
    typed.addAll(List.of(command));
    Path out = clone.resolve("out");
    Path err = clone.resolve("err");
    Process process = new ProcessBuilder(typed)
        .directory(clone.toFile())
        .redirectOutput(out.toFile())
        .redirectError(err.toFile())
        .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
      return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void hapax_shows_its_help_without_a_build() throws Exception {
    String help = Files.readString(ROOT.resolve("hapax-cli/help/hapax.txt"));
    String redrive = Files.readString(ROOT.resolve("hapax-cli/help/redrive.txt"));

    assertThat(run("hapax", "--help")).isEqualTo(new Run(0, help, ""));
    assertThat(run("hapax")).isEqualTo(new Run(2, "", help));
    assertThat(run("hapax", "redrive", "--help")).isEqualTo(new Run(0, redrive, ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hapax", "demo", "chaos", "bench"})
  void a_build_shows_its_modules_and_what_is_fetched_and_every_error(String script)
      throws Exception {
    Run run = run(script, "audit");

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).containsPattern(script + ": 25 MB fetched, of about \\d+ MB with");
    assertThat(run.err().lines().skip(3))
        .containsExactly(
            script + ": building Hapax: core 0.1.0-SNAPSHOT [2/8]", "[ERROR] COMPILATION ERROR");
    assertThat(run.err()).startsWith(script + ": building; the first time, Maven fetches");
  }
}
