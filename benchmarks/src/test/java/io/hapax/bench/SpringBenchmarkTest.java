package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpringBenchmarkTest {

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
        Instant.EPOCH, new SpringSetup(1_000, 4, 1, new TurnLength(2, 1, 2)), Map.of(), 0, spreads);
  }
}
