package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On real servers. */
@Timeout(180)
class RocketMqBenchmarkTest {

  private final StringWriter output = new StringWriter();

  @TempDir
  private Path folder;

  @Tag("nightly")
  @Test
  void every_listener_is_measured_concurrently_and_orderly() throws Exception {
    Path file = folder.resolve("rocketmq.json");

    int code = BenchCommand.commandLine()
        .setOut(new PrintWriter(output, true))
        .execute(
            "rocketmq",
            "--messages=400",
            "--queues=2",
            "--batch=4",
            "--seconds=1",
            "--warm-ups=0",
            "--rounds=1",
            "--profile",
            "--json=" + file);

    assertThat(code).isZero();
    JsonNode figures = new ObjectMapper().readTree(file.toFile()).get("figures");
    for (String situation : new String[] {"concurrently, batches of 4", "orderly, batches of 4"}) {
      for (RocketMqSubject subject : RocketMqSubject.values()) {
        JsonNode rate = figures.get(situation + ", " + subject.title());
        assertThat(rate.get("median").asDouble()).isPositive();
      }
      assertThat(output.toString()).contains("\n" + situation + "\n");
    }
    assertThat(output.toString())
        .containsPattern("bare listener +[1-9][0-9,]* +0 % +100 %")
        .contains("Profile: Hapax, leased in Redis, orderly, batches of 4", "threads by name");
  }

  @Test
  void a_store_with_batches_reaches_its_aim_by_either_measure() {
    RocketMqReport report = report(Map.of(
        RocketMqSubject.BARE, 10_000.0,
        RocketMqSubject.MEMORY, 7_900.0,
        RocketMqSubject.REDIS, 6_000.0,
        RocketMqSubject.POSTGRES, 5_000.0,
        RocketMqSubject.ONE_BY_ONE, 1_000.0));

    assertThat(report.reached(batches(RocketMqSubject.MEMORY))).contains(false);
    assertThat(report.reached(batches(RocketMqSubject.REDIS))).contains(true); // of the bare one
    assertThat(report.reached(batches(RocketMqSubject.POSTGRES))).contains(true); // times
    assertThat(report.reached(single(RocketMqSubject.POSTGRES))).isEmpty();
    assertThat(report.reached(single(RocketMqSubject.BARE))).isEmpty();
  }

  private static RocketMqReport report(Map<RocketMqSubject, Double> rates) {
    Map<RocketMqCase, Spread> spreads = new LinkedHashMap<>();
    rates.forEach((subject, rate) -> {
      spreads.put(single(subject), Spread.of(List.of(rate)));
      spreads.put(batches(subject), Spread.of(List.of(rate)));
    });
    return new RocketMqReport(spreads);
  }

  private static RocketMqCase single(RocketMqSubject subject) {
    return new RocketMqCase(false, 1, subject);
  }

  private static RocketMqCase batches(RocketMqSubject subject) {
    return new RocketMqCase(true, 32, subject);
  }
}
