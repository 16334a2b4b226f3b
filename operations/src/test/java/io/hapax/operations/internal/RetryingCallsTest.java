package io.hapax.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.store.StoreException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class RetryingCallsTest {

  private int calls;

  /** Returns how many calls were made, after these errors. */
  private int read(RuntimeException... errors) {
    Queue<RuntimeException> left = new ArrayDeque<>(List.of(errors));
    return RetryingCalls.of(() -> {
      calls++;
      if (!left.isEmpty()) {
        throw left.remove();
      }
      return calls;
    });
  }

  @Test
  void a_read_that_the_store_did_not_answer_is_repeated() {
    assertThat(read(new StoreException("failover"))).isEqualTo(2);
  }

  @Test
  void an_error_that_a_failover_does_not_explain_is_not_repeated() {
    assertThatThrownBy(() -> read(new IllegalStateException("a bug"))).hasMessage("a bug");

    assertThat(calls).isEqualTo(1);
  }

  @Test
  void an_interrupt_ends_the_retries() {
    StoreException failover = new StoreException("failover");
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> read(failover)).isSameAs(failover);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(calls).isEqualTo(1);
  }
}
