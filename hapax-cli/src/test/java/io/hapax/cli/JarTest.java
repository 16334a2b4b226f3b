package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.redis.RedisDedupStore;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jar by itself, as {@code java -jar} runs it. Runs once there is one. */
class JarTest extends CommandFixture {

  @TempDir
  private Path folder;

  private Path output() {
    return folder.resolve("output");
  }

  /** Returns the exit code. */
  private int run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-jar",
        System.getProperty("hapax.jar")));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output().toFile())
        .start();
    try {
      assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("it ends").isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private int audit() throws Exception {
    return run(
        "audit",
        "--bootstrap",
        kafka.bootstrapServers(),
        "--topic",
        topic,
        "--consumer",
        "billing",
        "--id",
        "header:order-id",
        "--store",
        redis.uri());
  }

  private static void done(String id) {
    try (DedupStore store =
        RedisDedupStore.builder(RedisURI.create(redis.uri())).build()) {
      ClaimRequest request = new ClaimRequest(
          MessageKey.of("billing", id),
          new Nonce(1, 1),
          Fingerprint.NONE,
          Origin.NONE,
          new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
      Acquired claim =
          (Acquired) store.claim(List.of(request), Duration.ofMinutes(1)).get(0);
      store.settle(List.of(new Settlement(claim.claim(), Verdict.Done.WITHOUT_RESULT)));
    }
  }

  @Test
  void its_exit_code_is_the_verdict() throws Exception {
    kafka.createTopic(topic, 1);
    send("order-17");

    assertThat(audit()).isEqualTo(1);
    assertThat(output()).content().contains("unknown: order-17 at " + topic + "-0@0");
    done("order-17");
    assertThat(audit()).isZero();
    assertThat(output()).content().containsPattern("WOULD RUN AGAIN +0\n");
  }

  @Test
  void what_is_wrong_or_not_in_it_is_a_misuse() throws Exception {
    assertThat(run("audit", "--topic", topic)).isEqualTo(2);
    assertThat(run(
            "audit",
            "--broker",
            "rocketmq",
            "--bootstrap",
            "127.0.0.1:1",
            "--topic",
            topic,
            "--consumer",
            "billing",
            "--id",
            "standard",
            "--store",
            redis.uri()))
        .isEqualTo(2);
    assertThat(output())
        .content()
        .contains("rocketmq-client and what it needs are not on the class path");
  }
}
