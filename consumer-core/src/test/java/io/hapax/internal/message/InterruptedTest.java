package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.ClosedByInterruptException;
import org.junit.jupiter.api.Test;

class InterruptedTest {

  @Test
  void an_interrupt_is_found_among_the_causes() {
    assertThat(Interrupted.isBehind(new IllegalStateException(new InterruptedException())))
        .isTrue();
    assertThat(Interrupted.isBehind(new ClosedByInterruptException())).isTrue();
    assertThat(Interrupted.isBehind(new IllegalStateException(new Exception()))).isFalse();
  }

  @Test
  void an_interrupt_is_found_in_the_state_of_the_thread() {
    Thread.currentThread().interrupt();
    try {
      assertThat(Interrupted.isBehind(new IllegalStateException())).isTrue();
    } finally {
      var unused = Thread.interrupted();
    }
  }
}
