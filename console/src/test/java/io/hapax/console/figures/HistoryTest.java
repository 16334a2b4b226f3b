package io.hapax.console.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests when the figures are read, and which callers wait. */
class HistoryTest {

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-22T12:00:00Z"));
  private final AtomicInteger reads = new AtomicInteger();
  private final CountDownLatch slow = new CountDownLatch(1);
  private final CountDownLatch begun = new CountDownLatch(1);

  private History history(boolean firstIsSlow) {
    Figures figures = () -> {
      if (reads.getAndIncrement() == (firstIsSlow ? 0 : 1)) {
        begun.countDown();
        await(slow);
        now.updateAndGet(it -> it.plus(Duration.ofSeconds(30)));
      }
      return new Figures.Snapshot(List.of(), List.of());
    };
    return new History(figures, now::get);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_slow_reading_serves_those_who_wait() throws Exception {
    History history = history(true);
    var first = CompletableFuture.supplyAsync(history::view);
    await(begun);
    var second = CompletableFuture.supplyAsync(history::view);
    slow.countDown();

    assertThat(first.get(1, TimeUnit.MINUTES).at()).isEqualTo(now.get());
    assertThat(second.get(1, TimeUnit.MINUTES).at()).isEqualTo(now.get());
    assertThat(reads).hasValue(1);
  }

  @Test
  void who_looks_during_a_slow_reading_sees_the_last_numbers() throws Exception {
    History history = history(false);
    Instant before = history.view().at();
    now.updateAndGet(it -> it.plus(History.INTERVAL));
    var reading = CompletableFuture.supplyAsync(history::view);
    await(begun);

    assertThat(history.view().at()).isEqualTo(before);
    slow.countDown();
    assertThat(reading.get(1, TimeUnit.MINUTES).at()).isEqualTo(now.get());
  }
}
