package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** Runs the packaged jar as {@code java -jar} does. Runs once there is one. */
class JarTest extends CommandFixture {

  @Test
  void its_exit_code_is_the_verdict() throws Exception {
    send("order-17");
    Jar jar = new Jar(
        folder,
        marks("--bootstrap", KAFKA.bootstrapServers(), "--topic", topic, "--id header:order-id"));

    assertThat(jar.run("audit")).isEqualTo(3);
    assertThat(jar.out()).contains("unknown: order-17 at " + topic + "-0@0");
    Claim claim = claimed("order-17", 0, Duration.ofMinutes(1));
    store.settle(List.of(new Settlement(claim, Verdict.Done.WITHOUT_RESULT)));
    assertThat(jar.run("audit")).isZero();
    assertThat(jar.out()).containsPattern("WOULD RUN AGAIN +0\n");
    assertThat(jar.run("audit --from never")).isEqualTo(2);
  }

  @Test
  void it_says_whose_work_it_is() throws Exception {
    try (JarFile jar = new JarFile(Jar.PATH)) {
      assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
      assertThat(text(jar, "META-INF/NOTICE"))
          .contains("rocketmq-client", "Jackson", "Apache Commons Lang");
    }
  }

  private static String text(JarFile jar, String name) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getJarEntry(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
