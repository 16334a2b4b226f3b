package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On real servers. */
@Timeout(180)
class RocketMqBenchmarkTest {

  private static final RocketMqSituation SINGLE = new RocketMqSituation(false, 1);
  private static final RocketMqSituation BATCHES = new RocketMqSituation(true, 32);

  private final StringWriter output = new StringWriter();

  @TempDir
  private Path folder;

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
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    for (String situation : new String[] {"concurrently, batches of 4", "orderly, batches of 4"}) {
      for (RocketMqSubject subject : RocketMqSubject.values()) {
        JsonNode figures = json.get(situation).get(subject.name().toLowerCase(Locale.ROOT));
        assertThat(figures.get("messagesPerSecond").asDouble()).isPositive();
        assertThat(figures.get("ofBare").asDouble()).isPositive();
      }
    }
    assertThat(output.toString())
        .contains("bare listener", "Hapax, T1 in PostgreSQL", "of bare")
        .contains("Profile: Hapax, leased in Redis, orderly, batches of 4", "threads by sample");
  }

  @Test
  void a_store_with_batches_reaches_its_aim_by_either_measure() {
    RocketMqReport report = report(Map.of(
        RocketMqSubject.BARE, 10_000.0,
        RocketMqSubject.MEMORY, 7_900.0,
        RocketMqSubject.REDIS, 6_000.0,
        RocketMqSubject.POSTGRES, 5_000.0,
        RocketMqSubject.ONE_BY_ONE, 1_000.0));

    assertThat(report.reached(BATCHES, RocketMqSubject.MEMORY)).contains(false);
    assertThat(report.reached(BATCHES, RocketMqSubject.REDIS)).contains(true); // of the bare one
    assertThat(report.reached(BATCHES, RocketMqSubject.POSTGRES)).contains(true); // times
    assertThat(report.reached(SINGLE, RocketMqSubject.POSTGRES)).isEmpty();
    assertThat(report.reached(SINGLE, RocketMqSubject.BARE)).isEmpty();
  }

  private static RocketMqReport report(Map<RocketMqSubject, Double> rates) {
    Map<RocketMqSubject, Spread> spreads = new LinkedHashMap<>();
    rates.forEach((subject, rate) -> spreads.put(subject, Spread.of(List.of(rate))));
    return new RocketMqReport(
        Instant.EPOCH,
        new RocketMqSetup(1_000, 8, List.of(1, 32), 2, 1, 2),
        Map.of(),
        0,
        Map.of(SINGLE, spreads, BATCHES, spreads));
  }
}
