package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.LedgerRow;
import io.hapax.demo.Mode;
import io.hapax.demo.live.Reports.Recovery;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;

/** Tests which repeats of an effect are explained in leased mode. */
class VerdictOnRepeatsTest extends VerdictFixture {

  private static final Set<String> A = Set.of("a");
  private static final Set<String> B = Set.of("b");
  private static final String BECAUSE = "a took effect again under token 20: ";
  private static final LedgerRow SAME_PROCESS = new LedgerRow("a", 20, 2, true, 100);

  /** Asserts on the violations after a repeat whose recovery was counted. */
  private static ListAssert<String> assertRepeat(LedgerRow repeat, Disruption... disruptions) {
    return assertThat(leased(List.of(FIRST, repeat, OTHER), List.of(RECOVERY), List.of(disruptions))
        .violations());
  }

  @Test
  void a_repeat_is_explained_by_a_counted_recovery_after_a_kill() {
    CampaignVerdict verdict =
        leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(KILL));

    assertThat(verdict).isEqualTo(new CampaignVerdict(3, 0, 1, 1, List.of()));
  }

  @Test
  void a_repeat_without_a_counted_recovery_of_its_token_is_a_violation() {
    for (List<Recovery> recoveries : List.of(List.<Recovery>of(), List.of(new Recovery("a", 21)))) {
      assertThat(leased(List.of(FIRST, AGAIN, OTHER), recoveries, List.of(KILL)).violations())
          .containsExactly(BECAUSE + "no recovery of that order and token was counted");
    }
  }

  @Test
  void a_repeat_that_is_not_flagged_as_a_recovery_is_a_violation() {
    assertRepeat(new LedgerRow("a", 20, 2, false, 200), KILL)
        .containsExactly(BECAUSE + "it was not flagged as a recovery");
  }

  @Test
  void two_effects_under_one_token_are_a_violation() {
    LedgerRow sameToken = new LedgerRow("a", 10, 1, true, 200);
    List<Recovery> recoveries = List.of(new Recovery("a", 10));

    assertThat(
            leased(List.of(FIRST, sameToken, OTHER), recoveries, List.of(KILL)).violations())
        .containsExactly("a took effect again under token 10: both effects carry one token");
  }

  @Test
  void a_repeat_after_a_process_that_was_not_killed_is_a_violation() {
    assertRepeat(AGAIN)
        .containsExactly(BECAUSE + "no kill of consumer 100 or of its store explains it");
  }

  @Test
  void a_repeat_of_a_done_order_is_a_violation_whatever_was_reported() {
    assertRepeat(AGAIN, Disruption.kill(100, Set.of("a", "b"), Set.of(), false))
        .containsExactly(BECAUSE + "it was not in doubt when consumer 100 was killed");
  }

  @Test
  void a_repeat_of_an_order_in_doubt_at_a_store_kill_is_always_explained() {
    Disruption outage = Disruption.outage(100, A, A, false);

    assertRepeat(AGAIN, outage).isEmpty();
    assertRepeat(SAME_PROCESS, outage).isEmpty();
  }

  @Test
  void a_repeat_of_an_order_not_in_doubt_at_a_store_kill_is_a_violation() {
    assertRepeat(AGAIN, Disruption.outage(100, Set.of("a", "b"), B, false))
        .containsExactly(BECAUSE + "it was not in doubt when the store of consumer 100 was killed");
  }

  @Test
  void a_disruption_explains_one_repeat_of_an_order_and_not_two() {
    LedgerRow third = new LedgerRow("a", 30, 3, true, 100);
    List<Recovery> recoveries = List.of(RECOVERY, new Recovery("a", 30));
    List<Disruption> outage = List.of(Disruption.outage(100, A, A, false));

    assertThat(leased(List.of(FIRST, SAME_PROCESS, third, OTHER), recoveries, outage)
            .violations())
        .containsExactly("a took effect again under token 30: no kill of consumer 100 or of its"
            + " store explains it");
  }

  @Test
  void a_repeat_of_an_order_in_flight_at_a_stop_is_explained_and_of_another_is_not() {
    assertRepeat(AGAIN, Disruption.stop(100, A, Set.of())).isEmpty();
    assertRepeat(AGAIN, Disruption.stop(100, B, Set.of()))
        .containsExactly(BECAUSE + "it was not in doubt when consumer 100 was stopped");
  }

  @Test
  void any_of_the_disruptions_of_a_member_may_explain_its_repeat() {
    Disruption another = Disruption.outage(100, B, Set.of(), true);
    Disruption beforeItsEffect = Disruption.outage(100, A, Set.of(), true);

    assertRepeat(AGAIN, beforeItsEffect, another).isEmpty();
    assertRepeat(AGAIN, another, another)
        .containsExactly(BECAUSE + "it was not in doubt when the store of consumer 100 was killed"
            + " and when the store of consumer 100 was killed");
  }

  @Test
  void a_kill_that_was_compared_too_late_explains_each_order_in_flight() {
    assertRepeat(AGAIN, Disruption.kill(100, A, Set.of(), true)).isEmpty();
    assertRepeat(AGAIN, Disruption.kill(100, B, Set.of(), true))
        .containsExactly(BECAUSE + "it was not in doubt when consumer 100 was killed");
  }

  @Test
  void a_late_comparison_still_shows_an_outcome_that_was_reported_before_its_mark_was_done() {
    Disruption tooSoon = Disruption.kill(100, B, A, true);

    assertThat(leased(List.of(FIRST, OTHER), List.of(), List.of(tooSoon)).violations())
        .containsExactly(
            "a was not DONE when consumer 100 was killed, although its outcome had been reported");
  }

  @Test
  void a_repeat_of_an_order_that_its_consumer_had_completed_is_a_violation_after_any_disruption() {
    for (Disruption disruption : List.of(
        KILL, Disruption.stop(100, A, Set.of()), Disruption.outage(100, A, Set.of(), true))) {
      assertThat(completedBy(100, List.of(FIRST, AGAIN, OTHER), disruption).violations())
          .containsExactly(BECAUSE + "consumer 100 had completed it, and its mark was DONE");
    }
  }

  @Test
  void a_repeat_that_is_completed_itself_is_explained() {
    Disruption outage = Disruption.outage(100, A, A, false);

    assertThat(completedBy(200, List.of(FIRST, AGAIN, OTHER), KILL).violations())
        .isEmpty();
    assertThat(completedBy(100, List.of(FIRST, SAME_PROCESS, OTHER), outage).violations())
        .isEmpty();
  }

  @Test
  void an_earlier_effect_of_the_consumer_that_completes_an_order_at_last_is_explained() {
    LedgerRow last = new LedgerRow("a", 30, 3, true, 100);

    assertThat(judge(
                Mode.LEASED,
                List.of(FIRST, AGAIN, last, OTHER),
                List.of(RECOVERY, new Recovery("a", 30)),
                Map.of(100L, A),
                List.of(Disruption.outage(100, A, A, true), Disruption.kill(200, A, A, false)))
            .violations())
        .isEmpty();
  }

  private static CampaignVerdict completedBy(
      long consumer, List<LedgerRow> ledger, Disruption disruption) {
    return judge(Mode.LEASED, ledger, List.of(RECOVERY), Map.of(consumer, A), List.of(disruption));
  }
}
