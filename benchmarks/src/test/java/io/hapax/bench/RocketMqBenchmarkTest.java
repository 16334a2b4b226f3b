package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs on real servers, without a check of the speed. */
@Tag("nightly")
@Timeout(180)
class RocketMqBenchmarkTest {

  @Test
  void every_listener_is_measured_concurrently_and_orderly() {
    String report = Bench.run(
        "rocketmq",
        "--messages=400",
        "--queues=2",
        "--batch=4",
        "--seconds=1",
        "--warm-ups=0",
        "--rounds=1",
        "--profile");

    for (String situation : new String[] {"concurrently, batches of 4", "orderly, batches of 4"}) {
      String table = report.substring(report.indexOf("\n" + situation + "\n"));
      for (RocketMqCommand.Subject subject : RocketMqCommand.Subject.values()) {
        assertThat(table).containsPattern(subject.title() + " +[1-9][0-9,]* +[0-9]+ %");
      }
    }
    assertThat(report)
        .containsPattern("bare listener +[1-9][0-9,]* +0 % +100 %")
        .contains("Profile: Hapax, leased in Redis, orderly, batches of 4", "us a message");
  }
}
