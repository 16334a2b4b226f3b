package io.hapax.console.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how long a reading that hangs refuses the others. */
@Timeout(60)
class StoreLimitTest {

  private final AtomicLong time = new AtomicLong();
  private final StoreLimit limit = new StoreLimit(time::get);

  private void later(Duration passed) {
    time.addAndGet(passed.toNanos());
  }

  @Test
  void a_reading_that_hangs_stops_others_for_a_minute_and_not_for_ever() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    CompletableFuture<Void> hanging = CompletableFuture.runAsync(() -> {
      assertThatThrownBy(() -> limit.call(() -> {
            begun.countDown();
            answer.await();
            return "";
          }))
          .hasMessage("no answer within 3 s");
    });
    begun.await();
    assertThat(limit.call(() -> "at once")).isEqualTo("at once");

    later(Duration.ofSeconds(4));
    assertThatThrownBy(() -> limit.call(() -> ""))
        .isInstanceOf(StoreException.class)
        .hasMessage("an earlier reading has no answer yet");
    later(Duration.ofMinutes(1));
    assertThat(limit.call(() -> "again")).isEqualTo("again");
    hanging.join();
    answer.countDown();
  }
}
