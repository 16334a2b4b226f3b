package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.runtime.ManualThreads;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.MessageKey;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoreClockTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final MessageKey KEY = MessageKey.of("orders", "A");

  private final ManualThreads threads = new ManualThreads();
  private final StoreClock clock = new StoreClock(threads);
  private final InMemoryDedupStore store =
      new InMemoryDedupStore(() -> NOON.plusNanos(threads.nanos()), Duration.ofDays(8));

  @Test
  void an_unknown_time_sets_no_limit() {
    assertThat(clock.unknown()).isTrue();
    assertThat(clock.in(Duration.ofSeconds(1))).isEqualTo(ClaimTerms.ANY_TIME);
  }

  @Test
  void the_time_that_was_read_advances_with_the_monotonic_clock() {
    threads.advance(Duration.ofSeconds(7));
    clock.learn(NOON, Duration.ofSeconds(4).toNanos());

    assertThat(clock.unknown()).isFalse();
    assertThat(clock.in(Duration.ofSeconds(10))).isEqualTo(NOON.plusSeconds(13));
  }

  @Test
  void the_store_returns_its_time_and_keeps_no_mark() {
    threads.advance(Duration.ofSeconds(7));

    assertThat(clock.ask(store, KEY)).isEqualTo(NOON.plusSeconds(7));

    assertThat(clock.in(Duration.ZERO)).isEqualTo(NOON.plusSeconds(7));
    assertThat(store.find(List.of(KEY))).containsExactly(Optional.empty());
  }

  @Test
  void a_tool_reads_the_time_of_the_store_once() {
    StoreTime time = new StoreTime(store);
    Instant first = time.now(KEY);

    threads.advance(Duration.ofDays(1));

    assertThat(time.now(KEY)).isBetween(first, first.plus(Duration.ofHours(1)));
  }
}
