package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests which repeats of an effect are explained in leased mode. */
class VerdictOnRepeatsTest extends VerdictFixture {

  @Test
  void a_repeat_is_explained_by_a_counted_recovery_after_a_kill() {
    Verdict verdict = leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(KILL));

    assertThat(verdict).isEqualTo(new Verdict(3, 0, 1, 1, List.of()));
  }

  @Test
  void a_repeat_without_a_counted_recovery_is_a_violation() {
    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(), List.of(KILL)).violations())
        .singleElement()
        .asString()
        .contains("no recovery of that order and token was counted");
  }

  @Test
  void a_recovery_of_another_token_explains_nothing() {
    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(new Recovery("a", 21)), List.of(KILL))
            .violations())
        .hasSize(1);
  }

  @Test
  void a_repeat_that_is_not_flagged_as_a_recovery_is_a_violation() {
    LedgerRow unflagged = new LedgerRow("a", 20, 2, false, 200);

    assertThat(leased(List.of(FIRST, unflagged, OTHER), List.of(RECOVERY), List.of(KILL))
            .violations())
        .singleElement()
        .asString()
        .contains("not flagged");
  }

  @Test
  void two_effects_under_one_token_are_a_violation() {
    LedgerRow sameToken = new LedgerRow("a", 10, 1, true, 200);

    assertThat(
            leased(List.of(FIRST, sameToken, OTHER), List.of(new Recovery("a", 10)), List.of(KILL))
                .violations())
        .singleElement()
        .asString()
        .contains("one token");
  }

  @Test
  void a_repeat_after_a_process_that_was_not_killed_is_a_violation() {
    assertThat(
            leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of()).violations())
        .singleElement()
        .asString()
        .contains("no kill of consumer 100 or of its store explains it");
  }

  @Test
  void a_repeat_of_a_done_order_is_a_violation_whatever_was_reported() {
    Kill nothingInDoubt = new Kill(100, Set.of("a", "b"), Set.of());

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(nothingInDoubt))
            .violations())
        .singleElement()
        .asString()
        .contains("it was not in doubt when consumer 100 was killed");
  }

  @Test
  void a_repeat_of_an_order_in_doubt_at_a_store_kill_is_always_explained() {
    Outage outage = new Outage(100, Set.of("a"), Set.of("a"));
    LedgerRow sameProcess = new LedgerRow("a", 20, 2, true, 100);

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(outage))
            .violations())
        .isEmpty();
    assertThat(leased(List.of(FIRST, sameProcess, OTHER), List.of(RECOVERY), List.of(outage))
            .violations())
        .isEmpty();
  }

  @Test
  void a_repeat_of_an_order_not_in_doubt_at_a_store_kill_is_a_violation() {
    Outage outage = new Outage(100, Set.of("a", "b"), Set.of("b"));

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(outage))
            .violations())
        .singleElement()
        .asString()
        .contains("it was not in doubt when the store of consumer 100 was killed");
  }

  @Test
  void a_disruption_explains_one_repeat_of_an_order_and_not_two() {
    LedgerRow third = new LedgerRow("a", 30, 3, true, 100);
    LedgerRow second = new LedgerRow("a", 20, 2, true, 100);
    List<Recovery> recoveries = List.of(RECOVERY, new Recovery("a", 30));
    Outage outage = new Outage(100, Set.of("a"), Set.of("a"));

    assertThat(leased(List.of(FIRST, second, third, OTHER), recoveries, List.of(outage))
            .violations())
        .singleElement()
        .asString()
        .startsWith("a took effect again under token 30: no kill of consumer 100");
  }

  @Test
  void a_repeat_of_an_order_in_flight_at_a_stop_is_explained() {
    Stop beforeItsEffect = new Stop(100, Set.of("a"), Set.of());

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(beforeItsEffect))
            .violations())
        .isEmpty();
  }

  @Test
  void a_repeat_of_an_order_not_in_flight_at_a_stop_is_a_violation() {
    Stop another = new Stop(100, Set.of("b"), Set.of());

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(another))
            .violations())
        .singleElement()
        .asString()
        .contains("it was not in doubt when consumer 100 was stopped");
  }
}
