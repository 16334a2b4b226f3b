package io.hapax.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolThreadsTest {

  private final AtomicBoolean broken = new AtomicBoolean();
  private final PoolThreads threads = new PoolThreads(task -> {
    if (broken.get()) {
      throw new IllegalStateException("no context");
    }
    return new Thread(task);
  });
  private final ThreadPoolExecutor pool =
      new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);

  @AfterEach
  void stop() {
    pool.shutdown();
  }

  @Test
  void a_factory_that_fails_is_an_error_while_the_pool_has_no_thread() {
    threads.serve(pool);
    broken.set(true);

    assertThatThrownBy(() -> threads.newThread(() -> {})).hasMessage("no context");
  }

  @Test
  void a_task_is_left_to_other_threads_if_the_factory_fails() {
    threads.serve(pool);
    var unused = pool.prestartCoreThread();
    broken.set(true);

    assertThat(threads.newThread(() -> {})).isNull();
  }

  @Test
  void a_factory_that_fails_is_an_error_where_each_task_has_its_thread() {
    var unused = pool.prestartCoreThread();
    broken.set(true);

    assertThatThrownBy(() -> threads.newThread(() -> {})).hasMessage("no context");
  }

  @Test
  void a_thread_that_an_error_ended_is_replaced() {
    threads.serve(pool);

    threads.uncaughtException(Thread.currentThread(), new NoClassDefFoundError());

    assertThat(pool.getPoolSize()).isEqualTo(1);
  }

  @Test
  void threads_without_a_factory_are_named_and_do_not_keep_the_process_alive() {
    Thread thread = new PoolThreads("hapax-test").newThread(() -> {});

    assertThat(thread).isNotNull().satisfies(it -> {
      assertThat(it.getName()).isEqualTo("hapax-test-1");
      assertThat(it.isDaemon()).isTrue();
    });
  }
}
