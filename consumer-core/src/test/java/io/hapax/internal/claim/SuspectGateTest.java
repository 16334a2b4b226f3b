package io.hapax.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
}
