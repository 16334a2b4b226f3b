package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A receiver whose heap is really exhausted, in a JVM of its own. */
@Timeout(120)
@DisplayName("invariant 14: a receiver whose heap is full leaves its work to others")
class FullHeapTest {

  @Test
  void it_is_down_and_refuses_calls_and_others_take_over(@TempDir Path folder) throws Exception {
    Path output = folder.resolve("output.txt");
    Process child = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx32m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            FullHeapJvm.class.getName())
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
