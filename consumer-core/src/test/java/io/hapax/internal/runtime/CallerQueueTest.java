package io.hapax.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallerQueueTest {

  private final List<String> events = new ArrayList<>();
  private final CallerQueue queue = new CallerQueue(new Ticker() {
    @Override
    public long nanos() {
      return 0;
    }

    @Override
    public void park() {
      events.add("wait");
    }
  });

  private void add(int place, String name) {
    queue.at(place).execute(() -> events.add(name));
  }

  @Test
  void code_runs_in_the_order_of_its_messages_and_then_of_arrival() {
    add(2, "c");
    add(1, "a");
    add(1, "b");

    for (int i = 0; i < 4; i++) {
      queue.runOrWait();
    }

    assertThat(events).containsExactly("a", "b", "c", "wait");
  }

  @Test
  void nothing_runs_before_all_code_that_belongs_together_is_queued() {
    queue.addTogether(() -> {
      add(2, "b");
      queue.runOrWait();
      add(1, "a");
    });

    queue.runOrWait();
    queue.runOrWait();

    assertThat(events).containsExactly("wait", "a", "b");
  }

  @Test
  void an_interrupt_is_remembered_and_cleared() {
    queue.takeInterrupt();
    assertThat(queue.interrupted()).isFalse();

    Thread.currentThread().interrupt();
    queue.takeInterrupt();

    assertThat(queue.interrupted()).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
