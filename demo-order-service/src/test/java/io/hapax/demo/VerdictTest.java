package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSample;
import io.hapax.audit.Finding;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerdictTest {

  private static final LedgerRow FIRST = new LedgerRow("a", 10, 1, false, 100);
  private static final LedgerRow AGAIN = new LedgerRow("a", 20, 2, true, 200);
  private static final LedgerRow OTHER = new LedgerRow("b", 11, 1, false, 100);
  private static final Recovery RECOVERY = new Recovery("a", 20);
  private static final Kill KILL = new Kill(100, Set.of("a"), Set.of("a"));

  @Test
  void one_effect_each_holds_in_both_modes() {
    for (Promise promise : Promise.values()) {
      Verdict verdict = judge(promise, List.of(FIRST, OTHER), List.of(), List.of());

      assertThat(verdict).isEqualTo(new Verdict(2, 0, 2, 0, List.of()));
      assertThat(verdict.holds()).isTrue();
    }
  }

  @Test
  void a_lost_order_breaks_both_promises() {
    for (Promise promise : Promise.values()) {
      Verdict verdict = judge(promise, List.of(FIRST), List.of(), List.of());

      assertThat(verdict.none()).isEqualTo(1);
      assertThat(verdict.faults()).containsExactly("b was lost: it has no effect");
    }
  }

  @Test
  void an_effect_of_an_unknown_order_breaks_both_promises() {
    LedgerRow unknown = new LedgerRow("x", 1, 1, false, 100);
    for (Promise promise : Promise.values()) {
      assertThat(judge(promise, List.of(FIRST, OTHER, unknown), List.of(), List.of())
              .faults())
          .containsExactly("x has an effect but was never published");
    }
  }

  @Test
  void exactly_once_forgives_no_repeat() {
    Verdict verdict =
        judge(Promise.EXACTLY_ONCE, List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of());

    assertThat(verdict.more()).isEqualTo(1);
    assertThat(verdict.faults()).containsExactly("a took effect 2 times");
  }

  @Test
  void a_repeat_is_explained_by_a_counted_recovery_after_a_kill() {
    Verdict verdict = leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(KILL));

    assertThat(verdict).isEqualTo(new Verdict(3, 0, 1, 1, List.of()));
  }

  @Test
  void a_repeat_without_a_counted_recovery_is_a_fault() {
    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(), List.of(KILL)).faults())
        .singleElement()
        .asString()
        .contains("no recovery of that order and token was counted");
  }

  @Test
  void a_recovery_of_another_token_explains_nothing() {
    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(new Recovery("a", 21)), List.of(KILL))
            .faults())
        .hasSize(1);
  }

  @Test
  void a_repeat_that_is_not_flagged_as_a_recovery_is_a_fault() {
    LedgerRow unflagged = new LedgerRow("a", 20, 2, false, 200);

    assertThat(leased(List.of(FIRST, unflagged, OTHER), List.of(RECOVERY), List.of(KILL))
            .faults())
        .singleElement()
        .asString()
        .contains("not flagged");
  }

  @Test
  void two_effects_under_one_token_are_a_fault() {
    LedgerRow sameToken = new LedgerRow("a", 10, 1, true, 200);

    assertThat(
            leased(List.of(FIRST, sameToken, OTHER), List.of(new Recovery("a", 10)), List.of(KILL))
                .faults())
        .singleElement()
        .asString()
        .contains("one token");
  }

  @Test
  void a_repeat_after_a_process_that_was_not_killed_is_a_fault() {
    assertThat(
            leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of()).faults())
        .singleElement()
        .asString()
        .contains("no kill of consumer 100 or of its store explains it");
  }

  @Test
  void a_repeat_of_an_order_whose_mark_was_done_is_a_fault_whatever_the_process_reported() {
    Kill nothingInDoubt = new Kill(100, Set.of("a", "b"), Set.of());

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(nothingInDoubt))
            .faults())
        .singleElement()
        .asString()
        .contains("it was not in doubt when consumer 100 was killed");
  }

  @Test
  void a_repeat_of_what_was_in_doubt_when_the_store_was_killed_is_explained_in_any_process() {
    Outage outage = new Outage(100, Set.of("a"), Set.of("a"));
    LedgerRow sameProcess = new LedgerRow("a", 20, 2, true, 100);

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(outage))
            .faults())
        .isEmpty();
    assertThat(leased(List.of(FIRST, sameProcess, OTHER), List.of(RECOVERY), List.of(outage))
            .faults())
        .isEmpty();
  }

  @Test
  void a_repeat_of_what_was_not_in_doubt_when_the_store_was_killed_is_a_fault() {
    Outage outage = new Outage(100, Set.of("a", "b"), Set.of("b"));

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(outage))
            .faults())
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
            .faults())
        .singleElement()
        .asString()
        .startsWith("a took effect again under token 30: no kill of consumer 100");
  }

  @Test
  void a_repeat_of_what_was_in_flight_when_its_process_was_stopped_is_explained() {
    Stop beforeItsEffect = new Stop(100, Set.of("a"), Set.of());

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(beforeItsEffect))
            .faults())
        .isEmpty();
  }

  @Test
  void a_repeat_of_what_was_not_in_flight_when_its_process_was_stopped_is_a_fault() {
    Stop another = new Stop(100, Set.of("b"), Set.of());

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(another))
            .faults())
        .singleElement()
        .asString()
        .contains("it was not in doubt when consumer 100 was stopped");
  }

  @Test
  void exactly_once_forgives_no_repeat_after_a_stop_either() {
    Stop beforeItsEffect = new Stop(100, Set.of("a"), Set.of());

    assertThat(judge(
                Promise.EXACTLY_ONCE,
                List.of(FIRST, AGAIN, OTHER),
                List.of(RECOVERY),
                List.of(beforeItsEffect))
            .faults())
        .containsExactly("a took effect 2 times");
  }

  @Test
  void a_recovery_that_takes_longer_than_it_may_is_a_fault() {
    Verdict verdict = judge(Promise.EXACTLY_ONCE, List.of(FIRST, OTHER), List.of(), List.of());
    Duration bound = Duration.ofSeconds(16);

    assertThat(verdict.withRecovery(bound, bound).holds()).isTrue();
    assertThat(verdict.withRecovery(bound.plusMillis(1), bound).faults())
        .containsExactly("what was cut off was done 16001 ms after the start of the next consumer,"
            + " but 16000 ms are allowed");
  }

  @Test
  void exactly_once_leaves_no_effect_in_doubt_when_the_store_was_killed_either() {
    Outage outage = new Outage(100, Set.of("a"), Set.of("a"));

    assertThat(judge(Promise.EXACTLY_ONCE, List.of(FIRST, OTHER), List.of(), List.of(outage))
            .faults())
        .containsExactly(
            "a had an effect but was not DONE when the store of consumer 100 was killed");
  }

  @Test
  void what_was_asked_for_and_hit_nothing_is_a_fault() {
    Verdict verdict = judge(Promise.EXACTLY_ONCE, List.of(FIRST, OTHER), List.of(), List.of());

    assertThat(verdict.withMissing("kills", 2, 2).holds()).isTrue();
    assertThat(verdict.withMissing("kills", 3, 2).faults())
        .containsExactly("1 of 3 kills hit nothing");
  }

  @Test
  void an_outcome_that_was_reported_before_its_mark_was_done_is_a_fault() {
    Kill tooSoon = new Kill(100, Set.of(), Set.of("a"));

    assertThat(leased(List.of(FIRST, AGAIN, OTHER), List.of(RECOVERY), List.of(tooSoon))
            .faults())
        .containsExactly(
            "a was not DONE when consumer 100 was killed, although its outcome had been reported");
  }

  @Test
  void more_effects_in_doubt_than_handlers_and_one_round_trip_can_be_are_a_fault() {
    Set<String> most = numbers(Verdict.MOST_IN_DOUBT);
    Set<String> tooMany = numbers(Verdict.MOST_IN_DOUBT + 1);

    assertThat(leased(List.of(FIRST, OTHER), List.of(), List.of(new Kill(100, most, most)))
            .faults())
        .isEmpty();
    assertThat(leased(List.of(FIRST, OTHER), List.of(), List.of(new Kill(100, tooMany, tooMany)))
            .faults())
        .singleElement()
        .asString()
        .startsWith("49 effects were in doubt when consumer 100 was killed");
  }

  @Test
  void exactly_once_leaves_no_effect_in_doubt() {
    assertThat(judge(Promise.EXACTLY_ONCE, List.of(FIRST, OTHER), List.of(), List.of(KILL))
            .faults())
        .containsExactly("a had an effect but was not DONE when consumer 100 was killed");
  }

  @Test
  void a_verdict_falls_at_lag_0_or_not_at_all() {
    Verdict verdict = judge(Promise.EXACTLY_ONCE, List.of(FIRST, OTHER), List.of(), List.of());

    assertThat(verdict.atLag(0).holds()).isTrue();
    assertThat(verdict.atLag(3).faults()).containsExactly("3 messages were not consumed yet");
  }

  @Test
  void an_order_that_only_a_replay_let_take_effect_was_lost_and_breaks_both_promises() {
    LedgerRow late = new LedgerRow("b", 30, 1, false, 300);
    for (Promise promise : Promise.values()) {
      Verdict verdict = afterPasses(promise, List.of(List.of(FIRST), List.of(FIRST, late)));

      assertThat(verdict.faults())
          .containsExactly("b was lost in the first pass: it took effect in replay 1 only");
      assertThat(verdict.none()).isZero();
    }
  }

  @Test
  void an_order_that_only_the_second_replay_let_take_effect_was_lost_too() {
    List<LedgerRow> whole = List.of(FIRST, OTHER);

    assertThat(afterPasses(Promise.EXACTLY_ONCE, List.of(List.of(FIRST), List.of(FIRST), whole))
            .faults())
        .containsExactly("b was lost in replay 1: it took effect in replay 2 only");
  }

  @Test
  void a_replay_may_add_no_effect_even_of_an_order_that_was_in_doubt_at_a_kill() {
    List<LedgerRow> once = List.of(FIRST, OTHER);
    List<LedgerRow> again = List.of(FIRST, OTHER, AGAIN);
    Verdict.Evidence explained =
        new Verdict.Evidence(again, List.of(RECOVERY), List.of(KILL), passes(List.of(once, again)));
    Verdict.Evidence beforeTheReplay = new Verdict.Evidence(
        again, List.of(RECOVERY), List.of(KILL), passes(List.of(again, again)));

    assertThat(
            Verdict.of(Promise.REPEATS_EXPLAINED, Set.of("a", "b"), explained).faults())
        .containsExactly("a took effect again in replay 1, although the first pass had settled it");
    assertThat(Verdict.of(Promise.REPEATS_EXPLAINED, Set.of("a", "b"), beforeTheReplay)
            .faults())
        .isEmpty();
  }

  @Test
  void an_audit_that_finds_all_orders_done_changes_nothing() {
    assertThat(
            audited(new AuditReport.Ids(2, 2, 0, 0, 0, 0, 0, 0, 0), List.of()).holds())
        .isTrue();
  }

  @Test
  void an_order_that_would_run_again_is_a_fault_and_is_named() {
    AuditSample sample = new AuditSample(Finding.UNKNOWN, "b", "orders-0@1", "");

    assertThat(audited(new AuditReport.Ids(2, 1, 0, 0, 0, 0, 1, 0, 0), List.of(sample))
            .faults())
        .containsExactly(
            "orders that would run again: 1",
            "orders whose marks are DONE: 1 of 2",
            "b at orders-0@1 is UNKNOWN to the audit");
  }

  @Test
  void an_audit_that_did_not_read_the_whole_topic_is_a_fault() {
    assertThat(
            audited(new AuditReport.Ids(1, 1, 0, 0, 0, 0, 0, 0, 0), List.of()).faults())
        .containsExactly(
            "the audit read 2 messages, but 3 were published",
            "orders whose marks are DONE: 1 of 2");
  }

  /** Two orders in three messages, one of which is a duplicate. */
  private static Verdict audited(AuditReport.Ids ids, List<AuditSample> samples) {
    AuditReport report =
        new AuditReport("order-service", ids.distinct() + 1, 0, 0, 1, ids, List.of(), samples);
    return judge(Promise.EXACTLY_ONCE, List.of(FIRST, OTHER), List.of(), List.of())
        .withAudit(report, 3, 2);
  }

  @Test
  void ledger_and_inventory_must_tell_the_same_story() {
    Verdict verdict = judge(Promise.EXACTLY_ONCE, List.of(FIRST, OTHER), List.of(), List.of());

    assertThat(verdict.withStock(7, 7).holds()).isTrue();
    assertThat(verdict.withStock(7, 9).faults())
        .containsExactly("the ledger accounts for 7 pieces, but 9 were taken from stock");
  }

  private static Set<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.toSet());
  }

  private static Verdict afterPasses(Promise promise, List<List<LedgerRow>> ledgers) {
    return Verdict.of(
        promise,
        Set.of("a", "b"),
        new Verdict.Evidence(
            ledgers.get(ledgers.size() - 1), List.of(), List.of(), passes(ledgers)));
  }

  private static List<Pass> passes(List<List<LedgerRow>> ledgers) {
    return IntStream.range(0, ledgers.size())
        .mapToObj(
            pass -> Pass.of(pass == 0 ? "the first pass" : "replay " + pass, ledgers.get(pass)))
        .toList();
  }

  private static Verdict leased(
      List<LedgerRow> ledger, List<Recovery> recoveries, List<? extends Disruption> disruptions) {
    return judge(Promise.REPEATS_EXPLAINED, ledger, recoveries, disruptions);
  }

  private static Verdict judge(
      Promise promise,
      List<LedgerRow> ledger,
      List<Recovery> recoveries,
      List<? extends Disruption> disruptions) {
    return Verdict.of(
        promise,
        Set.of("a", "b"),
        new Verdict.Evidence(
            ledger,
            recoveries,
            List.copyOf(disruptions),
            List.of(Pass.of("the only pass", ledger))));
  }
}
