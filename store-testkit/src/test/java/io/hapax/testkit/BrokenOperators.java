package io.hapax.testkit;

import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.mark.Transition;
import io.hapax.testkit.BrokenStores.Broken;
import java.util.List;

/** Stores with one bug each in an operator's decisions. */
final class BrokenOperators {

  static final List<Broken> ALL = List.of(
      new Broken(
          "breaks a living lease without force",
          "a_living_lease_is_broken_by_force_only_and_its_owner_is_fenced",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<Boolean> resolve(
                Mark mark, long expectedToken, MarkState expectedState, Resolution resolution) {
              return super.resolve(mark, expectedToken, expectedState, resolution.force());
            }
          }),
      new Broken(
          "compares the token only of what an operator saw",
          "a_mark_settled_done_since_the_operator_looked_stays_done",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<Boolean> resolve(
                Mark mark, long expectedToken, MarkState expectedState, Resolution resolution) {
              return super.resolve(mark, expectedToken, mark.state(), resolution);
            }
          }),
      new Broken(
          "keeps the fingerprint of what is reopened for any payload",
          "reopened_for_any_payload_the_genuine_message_runs",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<Boolean> resolve(
                Mark mark, long expectedToken, MarkState expectedState, Resolution resolution) {
              boolean reopens = resolution.kind() == Resolution.Kind.REOPEN_ANY_PAYLOAD;
              return super.resolve(
                  mark,
                  expectedToken,
                  expectedState,
                  reopens
                      ? new Resolution(Resolution.Kind.REOPEN, resolution.forced())
                      : resolution);
            }
          }));

  private BrokenOperators() {}
}
