package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.store.StoreException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;

/** The thread that purges, with passes of all sorts. */
@Timeout(60)
class PurgerTest {

  private static final PurgeSettings OFTEN = new PurgeSettings(Duration.ofMillis(10), 5);

  private final List<String> told = new CopyOnWriteArrayList<>();

  /** Remembers the level of each log line. */
  private final Logger log = (Logger) Proxy.newProxyInstance(
      Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (self, method, arguments) -> {
        told.add(method.getName());
        return null;
      });

  @Test
  void an_outage_is_retried_and_logged_once_as_is_its_end() throws InterruptedException {
    CountDownLatch passes = new CountDownLatch(8);
    Purger purger = new Purger(
        OFTEN,
        () -> batch -> {
          passes.countDown();
          long left = passes.getCount();
          if (left > 4) {
            throw new StoreException("the pool is empty");
          } else if (left > 2) {
            throw new LinkageError("a driver's class");
          }
          return false;
        },
        "marks",
        log);
    try (purger) {
      purger.start();
      assertThat(passes.await(30, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(told)
        .startsWith("warn", "debug", "debug", "debug", "debug", "info")
        .hasSize(6);
  }

  @Test
  void closing_waits_for_the_batch_that_is_under_way_and_interrupts_nothing() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicBoolean finished = new AtomicBoolean();
    AtomicInteger batches = new AtomicInteger();
    Purger purger = new Purger(
        OFTEN,
        () -> batch -> {
          batches.incrementAndGet();
          running.countDown();
          finished.set(awaited(go));
          return true;
        },
        "marks",
        log);
    purger.start();
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    Thread closing = new Thread(purger::close);
    closing.start();
    closing.join(200);
    boolean waits = closing.isAlive();
    go.countDown();
    closing.join(30_000);

    assertThat(waits).isTrue();
    assertThat(finished).isTrue();
    assertThat(batches).hasValue(1);
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }
}
