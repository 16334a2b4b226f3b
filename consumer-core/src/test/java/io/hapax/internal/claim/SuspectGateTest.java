package io.hapax.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Which suspects are inside the gate together. */
class SuspectGateTest {

  private final SuspectGate gate = new SuspectGate(2);
  private final List<String> inside = new ArrayList<>();

  private boolean together(String suspect) {
    return gate.enter(suspect, false, () -> inside.add(suspect));
  }

  private boolean alone(String suspect) {
    return gate.enter(suspect, true, () -> inside.add(suspect));
  }

  @Test
  void a_suspect_that_leaves_while_it_waits_is_not_woken_later() {
    alone("a");
    together("b");

    assertThat(gate.leave("b")).isFalse();
    gate.leave("a");

    assertThat(inside).containsExactly("b");
    assertThat(alone("c")).isTrue();
  }

  @Test
  void all_others_are_woken_although_one_throws_which_a_later_call_wakes() {
    alone("a");
    failsOnce("b", false);
    together("c");

    assertThatThrownBy(() -> gate.leave("a")).isInstanceOf(OutOfMemoryError.class);
    assertThat(inside).containsExactly("c");
    gate.leave("a");

    assertThat(inside).containsExactly("c", "b");
  }

  @Test
  void one_that_could_not_be_woken_is_not_inside() {
    alone("a");
    failsOnce("b", true);

    assertThatThrownBy(() -> gate.leave("a")).isInstanceOf(OutOfMemoryError.class);

    assertThat(together("c")).isTrue();
  }

  private void failsOnce(String suspect, boolean alone) {
    AtomicBoolean failed = new AtomicBoolean();
    gate.enter(suspect, alone, () -> {
      if (!failed.getAndSet(true)) {
        throw new OutOfMemoryError("Java heap space");
      }
      inside.add(suspect);
    });
  }
}
