package io.hapax.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads of a receiver. */
@Timeout(30)
class EnvironmentTest {

  private final Environment env =
      Environment.start(SystemTime.INSTANCE, "test", 1, Optional.empty());

  @AfterEach
  void stop() {
    env.stop();
  }

  @Test
  void threads_are_named_and_do_not_keep_the_process_alive() {
    assertThat(Stream.of(env.workers(), env.callers(), env.timer())
            .map(it -> CompletableFuture.supplyAsync(Thread::currentThread, it).join()))
        .allMatch(Thread::isDaemon)
        .extracting(Thread::getName)
        .containsExactly("hapax-worker-test-1", "hapax-store-test-1", "hapax-timer-test-1");
  }

  @Test
  @DisplayName("the alarm of a handler that was in time keeps nothing in memory")
  void a_cancelled_alarm_is_forgotten() {
    env.alarm(() -> {}, Duration.ofHours(1)).run();

    assertThat(((ScheduledThreadPoolExecutor) env.timer()).getQueue()).isEmpty();
  }

  @Test
  void a_task_that_throws_ends_the_receiver_and_not_its_thread() {
    Set<Thread> ran = ConcurrentHashMap.newKeySet();
    env.execute(env.workers(), () -> {
      ran.add(Thread.currentThread());
      throw new IllegalStateException("first");
    });
    env.execute(env.workers(), () -> {
      ran.add(Thread.currentThread());
      throw new LinkageError("second");
    });
    CompletableFuture.runAsync(() -> {}, env.workers()).join();

    assertThat(ran).hasSize(1);
    assertThat(env.failStop().cause()).get(THROWABLE).hasMessage("first");
  }
}
