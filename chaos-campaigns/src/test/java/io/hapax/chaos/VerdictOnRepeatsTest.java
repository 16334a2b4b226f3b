package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.LedgerRow;
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
    Disruption nothingInDoubt = Disruption.kill(100, Set.of("a", "b"), Set.of(), false);

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(nothingInDoubt))
            .violations())
        .singleElement()
        .asString()
        .contains("it was not in doubt when consumer 100 was killed");
  }

  @Test
  void a_repeat_of_an_order_in_doubt_at_a_store_kill_is_always_explained() {
    Disruption outage = Disruption.outage(100, Set.of("a"), Set.of("a"), false);
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
    Disruption outage = Disruption.outage(100, Set.of("a", "b"), Set.of("b"), false);

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
    Disruption outage = Disruption.outage(100, Set.of("a"), Set.of("a"), false);

    assertThat(leased(List.of(FIRST, second, third, OTHER), recoveries, List.of(outage))
            .violations())
        .singleElement()
        .asString()
        .startsWith("a took effect again under token 30: no kill of consumer 100");
  }

  @Test
  void a_repeat_of_an_order_in_flight_at_a_stop_is_explained() {
    Disruption beforeItsEffect = Disruption.stop(100, Set.of("a"), Set.of());

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(beforeItsEffect))
            .violations())
        .isEmpty();
  }

  @Test
  void a_repeat_of_an_order_not_in_flight_at_a_stop_is_a_violation() {
    Disruption another = Disruption.stop(100, Set.of("b"), Set.of());

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(another))
            .violations())
        .singleElement()
        .asString()
        .contains("it was not in doubt when consumer 100 was stopped");
  }

  @Test
  void any_of_the_disruptions_of_a_member_may_explain_its_repeat() {
    Disruption another = Disruption.outage(100, Set.of("b"), Set.of(), true);
    Disruption beforeItsEffect = Disruption.outage(100, Set.of("a"), Set.of(), true);

    assertThat(leased(
                List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(beforeItsEffect, another))
            .violations())
        .isEmpty();
    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(another, another))
            .violations())
        .singleElement()
        .asString()
        .contains("it was not in doubt when");
  }

  @Test
  void a_kill_that_was_compared_too_late_explains_each_order_in_flight() {
    Disruption late = Disruption.kill(100, Set.of("a"), Set.of(), true);

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(late))
            .violations())
        .isEmpty();
    Disruption another = Disruption.kill(100, Set.of("b"), Set.of(), true);
    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(another))
            .violations())
        .singleElement()
        .asString()
        .contains("it was not in doubt when consumer 100 was killed");
  }

  @Test
  void a_late_comparison_still_shows_an_outcome_that_was_reported_before_its_mark_was_done() {
    Disruption tooSoon = Disruption.kill(100, Set.of("b"), Set.of("a"), true);

    assertThat(leased(List.of(FIRST, OTHER), List.of(), List.of(tooSoon)).violations())
        .containsExactly(
            "a was not DONE when consumer 100 was killed, although its outcome had been reported");
  }

  @Test
  void a_repeat_of_an_order_that_its_consumer_had_completed_is_a_violation_after_any_disruption() {
    Set<String> inFlight = Set.of("a");
    for (Disruption disruption : List.of(
        Disruption.kill(100, inFlight, inFlight, false),
        Disruption.stop(100, inFlight, Set.of()),
        Disruption.outage(100, inFlight, Set.of(), true))) {
      assertThat(completedBy(100, List.of(FIRST, AGAIN, OTHER), disruption).violations())
          .containsExactly(
              "a took effect again under token 20: consumer 100 had completed it, and its mark was"
                  + " DONE");
    }
  }

  @Test
  void a_repeat_that_is_completed_itself_is_explained() {
    LedgerRow own = new LedgerRow("a", 20, 2, true, 100);

    assertThat(completedBy(200, List.of(FIRST, AGAIN, OTHER), KILL).violations())
        .isEmpty();
    assertThat(
            completedBy(100, List.of(FIRST, own, OTHER), Disruption.outage(100, Set.of("a"), Set.of("a"), false))
                .violations())
        .isEmpty();
  }

  @Test
  void an_earlier_effect_of_the_consumer_that_completes_an_order_at_last_is_explained() {
    LedgerRow last = new LedgerRow("a", 30, 3, true, 100);

    assertThat(judge(
                Guarantee.REPEATS_EXPLAINED,
                List.of(FIRST, AGAIN, last, OTHER),
                List.of(RECOVERY, new Recovery("a", 30)),
                Set.of(new Completion("a", 100)),
                List.of(
                    Disruption.outage(100, Set.of("a"), Set.of("a"), true),
                    Disruption.kill(200, Set.of("a"), Set.of("a"), false)))
            .violations())
        .isEmpty();
  }

  private static Verdict completedBy(long consumer, List<LedgerRow> ledger, Disruption disruption) {
    return judge(
        Guarantee.REPEATS_EXPLAINED,
        ledger,
        List.of(RECOVERY),
        Set.of(new Completion("a", consumer)),
        List.of(disruption));
  }
}
