package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueuedActionsTest {

  private final QueuedActions queue = new QueuedActions();
  private final List<Runnable> executed = new ArrayList<>();

  @Test
  void an_action_stays_until_it_is_executed() {
    Runnable first = () -> {};
    Runnable second = () -> {};
    queue.add(() -> true, first, 0);
    queue.add(() -> true, second, 0);

    assertThatThrownBy(() -> queue.release(since -> true, action -> {
          if (action == second) {
            throw new OutOfMemoryError("Java heap space");
          }
          executed.add(action);
        }))
        .isInstanceOf(OutOfMemoryError.class);
    queue.release(since -> true, executed::add);

    assertThat(executed).containsExactly(first, second);
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void an_action_that_is_no_longer_wanted_is_dropped() {
    queue.add(() -> false, () -> {}, 0);

    queue.release(since -> true, executed::add);

    assertThat(executed).isEmpty();
    assertThat(queue.isEmpty()).isTrue();
  }
}
