package io.hapax.console.figures;

import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.view.Curve;
import io.hapax.console.view.Figure;
import io.hapax.console.view.NowView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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
  void counters_become_rates_and_a_falling_lag_the_time_to_drain_it() {
    AtomicLong handled = new AtomicLong(100);
    AtomicLong lag = new AtomicLong(1_000);
    History history = new History(
        () -> new Figures.Snapshot(
            List.of(figure("executed", handled), figure("lag", lag)), List.of()),
        now::get);

    NowView first = history.view();
    assertThat(first.curves()).extracting(Curve::name).containsExactly("messages-rate", "lag");
    assertThat(first.curves().get(0).points()).extracting(Curve.Point::value).containsOnly(NaN);
    assertThat(first.drain()).isEmpty();

    handled.addAndGet(30);
    lag.addAndGet(-20);
    now.updateAndGet(it -> it.plusSeconds(4));
    NowView second = history.view();
    assertThat(second.curves().get(0).last()).isEqualTo(7.5);
    assertThat(second.drain()).contains(Duration.ofSeconds(196));

    handled.set(0);
    now.updateAndGet(it -> it.plusSeconds(60));
    NowView restarted = history.view();
    assertThat(restarted.curves().get(0).last()).isNaN();
    assertThat(restarted.drain()).as("it has stopped falling").isEmpty();
  }

  private static Figure figure(String name, AtomicLong value) {
    return new Figure(name, OptionalLong.of(value.get()), true, false);
  }

  @Test
  void a_source_that_no_longer_answers_makes_the_view_old() {
    Instant answered = now.get();
    History history = new History(
        () -> new Figures.Snapshot(List.of(), List.of(), Map.of("STORE", answered)), now::get);
    assertThat(history.view().isOld()).isFalse();

    now.updateAndGet(it -> it.plusSeconds(14));
    assertThat(history.view().age()).isEqualTo(Duration.ofSeconds(14));
    assertThat(history.view().isOld()).isTrue();
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
