package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.FirstErrorJvm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A receiver whose heap is really exhausted, in a JVM of its own. */
@Timeout(120)
@DisplayName("invariant 14: a heap that was full for a moment stops no receiver")
class FullHeapTest {

  private static final String ROUNDS = "6";

  @Test
  void every_submission_ends_and_leases_are_renewed_after_the_heap_was_full(@TempDir Path folder)
      throws Exception {
    assertEndsWell(folder, FullHeapJvm.class.getName(), ROUNDS);
  }

  @Test
  void a_step_is_run_again_if_the_first_error_of_a_process_is_a_full_heap(@TempDir Path folder)
      throws Exception {
    assertEndsWell(folder, FirstErrorJvm.class.getName());
  }

  private static void assertEndsWell(Path folder, String... mainClassAndArguments)
      throws Exception {
    Path output = folder.resolve("output.txt");
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx32m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path")));
    command.addAll(List.of(mainClassAndArguments));
    Process child = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
    try {
      assertThat(child.waitFor(100, TimeUnit.SECONDS)).isTrue();
    } finally {
      child.destroyForcibly();
    }
    assertThat(child.exitValue())
        .as(Files.readString(output, StandardCharsets.UTF_8))
        .isZero();
  }
}
