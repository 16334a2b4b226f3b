package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On real servers. */
@Timeout(180)
class SpringBenchmarkTest {

  private final StringWriter output = new StringWriter();

  @TempDir
  private Path folder;

  @Test
  void every_listener_is_measured_in_an_application() throws Exception {
    Path file = folder.resolve("spring.json");

    int code = BenchCommand.commandLine()
        .setOut(new PrintWriter(output, true))
        .execute(
            "spring",
            "--messages=4000",
            "--partitions=2",
            "--seconds=2",
            "--warm-ups=0",
            "--rounds=1",
            "--json=" + file);

    assertThat(code).isZero();
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    for (SpringSubject subject : SpringSubject.values()) {
      assertThat(json.get(subject.name().toLowerCase(Locale.ROOT)).get("recordsPerSecond"))
          .as(subject.title())
          .isNotNull();
    }
    assertThat(output.toString()).contains("@Idempotent, leased in Redis", "times its baseline");
  }

  @Test
  void an_aim_is_compared_with_the_median_of_the_baseline() {
    SpringReport report = report(Map.of(
        SpringSubject.BARE, 100_000.0,
        SpringSubject.REDIS_BY_HAND, 10_000.0,
        SpringSubject.REDIS, 30_000.0,
        SpringSubject.NAIVE, 1_000.0,
        SpringSubject.SQL_BY_HAND, 900.0,
        SpringSubject.TRANSACTIONAL, 1_900.0));

    assertThat(report.reached(SpringSubject.REDIS)).contains(true);
    assertThat(report.reached(SpringSubject.TRANSACTIONAL)).contains(false);
    assertThat(report.reached(SpringSubject.SQL_BY_HAND)).isEmpty();
  }

  private static SpringReport report(Map<SpringSubject, Double> rates) {
    Map<SpringSubject, Spread> spreads = new EnumMap<>(SpringSubject.class);
    rates.forEach((subject, rate) -> spreads.put(subject, Spread.of(List.of(rate))));
    return new SpringReport(
        Instant.EPOCH, new SpringSetup(1_000, 4, 1, 2, 1, 2), Map.of(), 0, spreads);
  }
}
