package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpringBenchmarkTest {

  @Test
  void an_aim_is_compared_with_the_median_of_the_baseline() {
    Map<SpringSubject, Spread> rates = Spread.ofEach(Map.of(
        SpringSubject.BARE, List.of(100_000.0),
        SpringSubject.REDIS_BY_HAND, List.of(10_000.0),
        SpringSubject.REDIS, List.of(30_000.0),
        SpringSubject.NAIVE, List.of(1_000.0),
        SpringSubject.SQL_BY_HAND, List.of(900.0),
        SpringSubject.TRANSACTIONAL, List.of(1_900.0)));

    assertThat(SpringSubject.REDIS.reached(rates)).contains(true);
    assertThat(SpringSubject.TRANSACTIONAL.reached(rates)).contains(false);
    assertThat(SpringSubject.SQL_BY_HAND.times(rates)).contains(0.9);
    assertThat(SpringSubject.SQL_BY_HAND.reached(rates)).isEmpty();
  }
}
