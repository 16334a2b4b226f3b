package io.hapax.internal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.internal.report.Events;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckedWorkerThreadsTest {

  @Test
  void the_pool_sees_that_memory_is_used_up() {
    WorkerThreads threads = new WorkerThreads(
        task -> {
          throw new OutOfMemoryError("unable to create native thread");
        },
        new Events(List.of(), () -> 0, () -> Instant.EPOCH));

    assertThatThrownBy(() -> threads.newThread(() -> {})).isInstanceOf(OutOfMemoryError.class);
  }
}
