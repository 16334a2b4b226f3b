package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadMeterTest {

  private static final int MUCH = 64 * 1024 * 1024;

  @Test
  void a_thread_that_ends_takes_nothing_away_from_the_others() throws Exception {
    CountDownLatch filled = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Thread ending = new Thread(() -> {
      assertThat(new byte[MUCH]).isNotEmpty();
      filled.countDown();
      await(mayEnd);
    });
    ending.start();
    filled.await();

    ThreadMeter meter = new ThreadMeter();
    mayEnd.countDown();
    ending.join();
    assertThat(new byte[MUCH / 2]).isNotEmpty();
    ThreadMeter.Use use = meter.use();

    assertThat(use.allocatedBytes()).isBetween(MUCH / 2L, MUCH - 1L);
    assertThat(use.cpuNanos()).isPositive();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
