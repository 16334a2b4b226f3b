package io.hapax.testkit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every verb on a mark in every state, compared with the machine. */
interface MachineContract extends Bench {

  @ParameterizedTest
  @EnumSource
  default void a_mark_in_each_state_is_answered_and_changed_as_by_the_machine(MarkVerb verb) {
    MarkCase each = new MarkCase(fixture(), verb);
    each.assertAsModel(each.send(store()));
  }
}
