package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldBackActionsTest {

  private final HeldBackActions heldBack = new HeldBackActions();
  private final List<Runnable> handedOver = new ArrayList<>();

  @Test
  void an_action_stays_until_it_is_handed_over() {
    Runnable first = () -> {};
    Runnable second = () -> {};
    heldBack.add(() -> true, first, 0);
    heldBack.add(() -> true, second, 0);

    assertThatThrownBy(() -> heldBack.release(since -> true, action -> {
          if (action == second) {
            throw new OutOfMemoryError("Java heap space");
          }
          handedOver.add(action);
        }))
        .isInstanceOf(OutOfMemoryError.class);
    heldBack.release(since -> true, handedOver::add);

    assertThat(handedOver).containsExactly(first, second);
    assertThat(heldBack.isEmpty()).isTrue();
  }

  @Test
  void an_action_that_is_not_wanted_any_more_is_forgotten() {
    heldBack.add(() -> false, () -> {}, 0);

    heldBack.release(since -> true, handedOver::add);

    assertThat(handedOver).isEmpty();
    assertThat(heldBack.isEmpty()).isTrue();
  }
}
