package io.hapax.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A machine that has no thread to give for a moment. */
@Timeout(30)
@DisplayName("invariant 14: a task outlives the moment in which no thread can be started")
class ThreadsTest {

  private final AtomicInteger refusals = new AtomicInteger(2);
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Threads threads = new Threads(scarce(), scarce(), timer);
  private final CountDownLatch ran = new CountDownLatch(1);

  private ExecutorService scarce() {
    return Executors.newCachedThreadPool(task -> {
      if (refusals.getAndDecrement() > 0) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      return new Thread(task);
    });
  }

  @AfterEach
  void stop() {
    threads.stop();
  }

  @Test
  void a_call_to_the_store_is_made_later() throws Exception {
    threads.call(ran::countDown);

    assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_call_after_a_pause_is_made_later() throws Exception {
    threads.callLater(ran::countDown, 1);

    assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_call_is_made_although_the_timer_cannot_take_it_for_a_moment() throws Exception {
    AtomicInteger full = new AtomicInteger(2);
    ScheduledThreadPoolExecutor fullTimer = new ScheduledThreadPoolExecutor(1) {
      @Override
      public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        if (full.getAndDecrement() > 0) {
          throw new OutOfMemoryError("Java heap space");
        }
        return super.schedule(task, delay, unit);
      }
    };
    Threads starved = new Threads(scarce(), scarce(), fullTimer);
    try {
      starved.call(ran::countDown);

      assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      starved.stop();
    }
  }

  @Test
  void a_task_runs_once_although_its_executor_took_it_before_it_threw() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch offeredTwice = new CountDownLatch(2);
    ThreadPoolExecutor confused =
        new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
          @Override
          public void execute(Runnable task) {
            super.execute(task);
            offeredTwice.countDown();
            if (offeredTwice.getCount() > 0) {
              throw new OutOfMemoryError("Java heap space");
            }
          }
        };
    Threads starved = new Threads(confused, scarce(), timer);

    starved.execute(confused, runs::incrementAndGet);

    assertThat(offeredTwice.await(10, TimeUnit.SECONDS)).isTrue();
    confused.shutdown();
    assertThat(confused.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(runs).hasValue(1);
  }

  @Test
  void threads_are_named_and_do_not_keep_the_process_alive() {
    Threads started = Threads.start("test", 1, Optional.empty());
    try {
      assertThat(Stream.of(started.workers(), started.callers(), started.timer())
              .map(
                  it -> CompletableFuture.supplyAsync(Thread::currentThread, it).join()))
          .allMatch(Thread::isDaemon)
          .extracting(Thread::getName)
          .containsExactly("hapax-worker-test-1", "hapax-store-test-1", "hapax-timer-test-1");
    } finally {
      started.stop();
    }
  }

  @Test
  @DisplayName("the alarm of a handler that was in time keeps nothing in memory")
  void a_cancelled_alarm_is_forgotten() {
    Threads started = Threads.start("test", 1, Optional.empty());
    try {
      started.alarm(() -> {}, Duration.ofHours(1)).run();

      assertThat(((ScheduledThreadPoolExecutor) started.timer()).getQueue()).isEmpty();
    } finally {
      started.stop();
    }
  }

  @Test
  void a_worker_that_an_error_ended_is_replaced_once_its_factory_works_again() throws Exception {
    AtomicInteger made = new AtomicInteger();
    Threads started = Threads.start("test", 1, Optional.of(task -> {
      int number = made.incrementAndGet();
      if (number > 1 && number < 4) {
        throw new IllegalStateException("no context");
      }
      return new Thread(task);
    }));
    try {
      started.execute(started.workers(), () -> {
        throw new NoClassDefFoundError("an error that ends its thread");
      });
      Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> made.get() == 4);
      started.execute(started.workers(), ran::countDown);

      assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      started.stop();
    }
  }

  @Test
  void a_task_waits_for_a_factory_that_fails_while_there_is_no_worker() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    CountDownLatch asked = new CountDownLatch(3);
    ThreadFactory factory = task -> {
      if (broken.get()) {
        asked.countDown();
        throw new IllegalStateException("no context");
      }
      return new Thread(task);
    };
    ThreadPoolExecutor workers =
        new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    Threads started = new Threads(workers, scarce(), timer);
    broken.set(true);

    started.execute(workers, ran::countDown);
    assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(ran.getCount()).isEqualTo(1);
    broken.set(false);

    assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_handler_is_run_later() throws Exception {
    threads.execute(threads.workers(), ran::countDown);

    assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
  }
}
