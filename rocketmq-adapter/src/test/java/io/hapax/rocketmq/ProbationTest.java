package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;

class ProbationTest {

  private final MessageQueue queue = new MessageQueue("orders", "local", 0);
  private final Probation probation = new Probation(Duration.ofSeconds(5));

  private boolean isNewAt(int second) {
    return probation.isNew(queue, Duration.ofSeconds(second).toNanos());
  }

  @Test
  void a_queue_is_new_until_its_offset_must_have_been_written() {
    assertThat(isNewAt(0)).isTrue();
    assertThat(isNewAt(9)).isTrue();
    assertThat(isNewAt(10)).isFalse();
    assertThat(isNewAt(20)).isFalse();
  }

  @Test
  void a_queue_that_was_silent_is_new_again_because_another_may_have_had_it() {
    assertThat(isNewAt(0)).isTrue();
    assertThat(isNewAt(10)).isFalse();
    assertThat(isNewAt(21)).isTrue();
  }

  @Test
  void each_queue_is_judged_for_itself() {
    assertThat(isNewAt(0)).isTrue();
    assertThat(isNewAt(10)).isFalse();
    assertThat(probation.isNew(
            new MessageQueue("orders", "local", 1), Duration.ofSeconds(10).toNanos()))
        .isTrue();
  }
}
