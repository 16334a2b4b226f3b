package io.hapax.testkit;

import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.mark.Transition;
import io.hapax.testkit.BrokenStores.Broken;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiFunction;

/** Stores with one bug each in an operator's decisions. */
final class BrokenOperators {

  /** Decides as {@link MarkMachine#resolve} does, but for a bug. */
  interface Decisions {
    Transition<Boolean> resolve(
        Mark mark, long token, MarkState state, Resolution resolution, Instant now);
  }

  static final List<Broken> ALL = List.of(
      new Broken(
          "breaks a living lease without force",
          "a_living_lease_is_broken_by_force_only_and_its_owner_is_fenced",
          decisions((mark, token, state, it, now) ->
              MarkMachine.resolve(mark, token, state, it.force(), now))),
      new Broken(
          "compares the token only of what an operator saw",
          "a_mark_settled_done_since_the_operator_looked_stays_done",
          decisions((mark, token, state, it, now) ->
              MarkMachine.resolve(mark, token, mark.state(), it, now))),
      new Broken(
          "keeps the fingerprint of what is reopened for any payload",
          "reopened_for_any_payload_the_genuine_message_runs",
          decisions((mark, token, state, it, now) -> {
            boolean reopens = it.kind() == Resolution.Kind.REOPEN_ANY_PAYLOAD;
            Resolution kept = new Resolution(Resolution.Kind.REOPEN, it.forced());
            return MarkMachine.resolve(mark, token, state, reopens ? kept : it, now);
          })));

  private BrokenOperators() {}

  static BiFunction<InstantSource, Duration, MachineStore> decisions(Decisions broken) {
    return (clock, retention) -> new MachineStore(clock, retention) {
      @Override
      protected Transition<Boolean> resolve(
          Mark mark, long token, MarkState state, Resolution resolution) {
        return broken.resolve(mark, token, state, resolution, now());
      }
    };
  }
}
