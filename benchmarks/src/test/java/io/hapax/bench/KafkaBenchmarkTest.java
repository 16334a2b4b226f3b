package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs on real servers, without a check of the speed. */
@Tag("nightly")
@Timeout(300)
class KafkaBenchmarkTest {

  @Test
  void every_consumer_is_measured_beside_a_bare_loop_and_what_it_builds_on() {
    String report = Bench.run(
        "kafka",
        "--records=1000",
        "--poll=50",
        "--seconds=0.2",
        "--warm-ups=0",
        "--rounds=1",
        "--latency=100");

    assertThat(report)
        .contains("1,000 records of 200 bytes in 4 partitions, max.poll.records 50")
        .containsPattern("bare poll loop +[1-9][0-9,]* +0 % +100 %")
        .containsPattern("KafkaReceiver, marks in memory +100 +[0-9.]+ +[0-9.]+ +-?[0-9.]+\n");
    for (KafkaSubject subject : KafkaSubject.values()) {
      assertThat(report)
          .containsPattern(Pattern.quote(subject.title()) + " +[1-9][0-9,]* +[0-9]+ %");
    }
  }
}
