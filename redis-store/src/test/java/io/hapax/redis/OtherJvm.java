package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A JVM of its own, because logging is set up once in each: here it is off. */
final class OtherJvm {

  private OtherJvm() {}

  /** What a main class says and logs, from a level on. */
  static String said(Class<?> main, String level, Object... arguments)
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
    String said = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jvm.waitFor()).as(said).isZero();
    return said;
  }
}
