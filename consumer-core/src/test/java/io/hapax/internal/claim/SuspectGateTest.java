package io.hapax.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Who is inside the gate with whom. */
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
  void as_many_as_the_limit_are_inside_together() {
    assertThat(together("a")).isTrue();
    assertThat(together("b")).isTrue();
    assertThat(together("c")).isFalse();

    gate.leave("a");

    assertThat(inside).containsExactly("c");
    assertThat(together("c")).isTrue();
  }

  @Test
  void one_that_has_to_be_alone_waits_until_all_others_have_left() {
    together("a");
    together("b");
    assertThat(alone("c")).isFalse();

    gate.leave("a");
    assertThat(inside).isEmpty();
    gate.leave("b");

    assertThat(inside).containsExactly("c");
  }

  @Test
  void no_suspect_enters_beside_one_that_must_run_alone() {
    alone("a");

    assertThat(together("b")).isFalse();
    assertThat(alone("c")).isFalse();
    gate.leave("a");

    assertThat(inside).containsExactly("b");
    gate.leave("b");
    assertThat(inside).containsExactly("b", "c");
  }

  @Test
  void one_that_turns_out_to_have_to_be_alone_leaves_the_others_and_waits() {
    together("a");
    together("b");
    together("c");

    assertThat(alone("a")).isFalse();

    assertThat(inside).containsExactly("c");
    gate.leave("b");
    gate.leave("c");
    assertThat(inside).containsExactly("c", "a");
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
