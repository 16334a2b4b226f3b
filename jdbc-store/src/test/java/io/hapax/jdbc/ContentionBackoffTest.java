package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How long who lost a deadlock waits: with dice that always show the same, and with real ones. */
class ContentionBackoffTest {

  private static List<Long> millis(ContentionBackoff backoff) {
    return IntStream.rangeClosed(1, 4)
        .mapToObj(tries -> backoff.after(tries).toMillis())
        .toList();
  }

  @Test
  void a_pause_is_up_to_ten_milliseconds_for_each_lost_try() {
    assertThat(millis(new ContentionBackoff(() -> 0, pause -> {}))).containsExactly(0L, 0L, 0L, 0L);
    assertThat(millis(new ContentionBackoff(() -> 0.5, pause -> {})))
        .containsExactly(5L, 10L, 15L, 20L);
    assertThat(millis(new ContentionBackoff(() -> 1, pause -> {})))
        .containsExactly(10L, 20L, 30L, 40L);
  }

  @Test
  void colliding_transactions_wait_for_different_times() {
    ContentionBackoff backoff = ContentionBackoff.randomized();

    List<Duration> seen =
        IntStream.range(0, 1000).mapToObj(i -> backoff.after(1)).distinct().toList();

    assertThat(seen).hasSizeGreaterThan(900).allMatch(it -> it.toMillis() < 10);
    assertThat(seen).anyMatch(it -> it.toMillis() < 2).anyMatch(it -> it.toMillis() >= 8);
  }

  @Test
  void waiting_takes_as_long_as_the_pause() {
    ContentionBackoff backoff = ContentionBackoff.randomized();
    long begin = System.nanoTime();

    IntStream.range(0, 10).forEach(i -> backoff.waitAfter(4));

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(20));
  }
}
