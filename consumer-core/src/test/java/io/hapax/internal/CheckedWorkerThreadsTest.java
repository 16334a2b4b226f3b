package io.hapax.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.health.Problem;
import io.hapax.internal.report.Events;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class CheckedWorkerThreadsTest {

  private final Events events = new Events(List.of(), () -> 0, () -> Instant.EPOCH);
  private ThreadFactory factory = Thread::new;
  private final WorkerThreads threads = new WorkerThreads(task -> factory.newThread(task), events);

  @Test
  void a_new_thread_is_used_as_it_is() {
    Thread thread = new Thread();
    factory = task -> thread;

    assertThat(threads.newThread(() -> {})).isSameAs(thread);
  }

  @Test
  void a_factory_that_throws_is_a_problem_until_it_works() {
    factory = task -> {
      throw new IllegalStateException("no context");
    };
    assertThatThrownBy(() -> threads.newThread(() -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("workerThreads threw")
        .hasMessageContaining("no context");
    assertThat(events.problems())
        .extracting(Problem::kind)
        .containsExactly(Problem.Kind.CONFIGURATION);

    factory = Thread::new;
    var unused = threads.newThread(() -> {});

    assertThat(events.problems()).isEmpty();
  }

  @Test
  void a_thread_that_was_started_is_refused() {
    factory = task -> Thread.currentThread();

    assertThatThrownBy(() -> threads.newThread(() -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a thread that was started");
  }

  @Test
  void the_pool_sees_that_memory_is_used_up() {
    factory = task -> {
      throw new OutOfMemoryError("unable to create native thread");
    };

    assertThatThrownBy(() -> threads.newThread(() -> {})).isInstanceOf(OutOfMemoryError.class);
  }
}
