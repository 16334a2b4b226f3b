package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Starts a JVM with logging, which each JVM configures once; it is off in this one. */
final class OtherJvm {

  private OtherJvm() {}

  /** Returns the output of a main class, including its log from a level on. */
  static String output(Class<?> main, String level, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=" + level,
        "-cp",
        System.getProperty("java.class.path"),
        main.getName()));
    Arrays.stream(arguments).map(Object::toString).forEach(command::add);
    Process jvm = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jvm.waitFor()).as(output).isZero();
    return output;
  }
}
