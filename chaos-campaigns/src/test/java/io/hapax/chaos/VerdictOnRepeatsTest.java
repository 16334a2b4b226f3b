package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.chaos.CampaignVerdict.Evidence;
import io.hapax.chaos.Reports.Recovery;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Mode;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.audit.AuditSample;
import io.hapax.operations.audit.Finding;
import io.hapax.operations.text.Text;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests which repeats of an effect are explained in leased mode. A replay may add no effect, and
 * the audit at the end must find all orders done.
 */
class VerdictOnRepeatsTest extends VerdictFixture {

  private static final Set<String> A = Set.of("a");
  private static final Set<String> B = Set.of("b");
  private static final Set<String> AB = Set.of("a", "b");
  private static final String BECAUSE = "a took effect again under token 20: ";
  private static final LedgerRow SAME_PROCESS = new LedgerRow("a", 20, 2, true, 100);

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

  static Stream<Arguments> repeats() {
    Disruption outage = Disruption.outage(100, A, A, false);
    Disruption beforeItsEffect = Disruption.outage(100, A, Set.of(), true);
    Disruption another = Disruption.outage(100, B, Set.of(), true);
    String ofStore = "it was not in doubt when the store of consumer 100 was killed";
    String ofKill = "it was not in doubt when consumer 100 was killed";
    return Stream.of(
        arguments(
            new LedgerRow("a", 20, 2, false, 200),
            List.of(KILL),
            "it was not flagged as a recovery"),
        arguments(AGAIN, List.of(), "no kill of consumer 100 or of its store explains it"),
        // a done order, whatever was reported
        arguments(AGAIN, List.of(Disruption.kill(100, AB, Set.of(), false)), ofKill),
        arguments(AGAIN, List.of(outage), ""),
        arguments(SAME_PROCESS, List.of(outage), ""),
        arguments(AGAIN, List.of(Disruption.outage(100, AB, B, false)), ofStore),
        arguments(AGAIN, List.of(Disruption.stop(100, A, Set.of())), ""),
        arguments(
            AGAIN,
            List.of(Disruption.stop(100, B, Set.of())),
            "it was not in doubt when consumer 100 was stopped"),
        // any of the disruptions of a member may explain its repeat
        arguments(AGAIN, List.of(beforeItsEffect, another), ""),
        arguments(
            AGAIN,
            List.of(another, another),
            ofStore + " and when the store of consumer 100 was killed"),
        // compared too late, a kill explains each order in flight
        arguments(AGAIN, List.of(Disruption.kill(100, A, Set.of(), true)), ""),
        arguments(AGAIN, List.of(Disruption.kill(100, B, Set.of(), true)), ofKill));
  }

  @ParameterizedTest
  @MethodSource("repeats")
  void a_counted_repeat_is_explained_only_if_its_order_may_have_been_in_doubt(
      LedgerRow repeat, List<Disruption> disruptions, String violation) {
    assertThat(leased(List.of(FIRST, repeat, OTHER), List.of(RECOVERY), disruptions)
            .violations())
        .isEqualTo(violation.isEmpty() ? List.of() : List.of(BECAUSE + violation));
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

  @Test
  void an_order_with_an_effect_in_a_replay_only_breaks_both_guarantees() {
    LedgerRow late = new LedgerRow("b", 30, 1, false, 300);
    for (Mode mode : Mode.values()) {
      CampaignVerdict verdict = afterPasses(mode, List.of(List.of(FIRST), List.of(FIRST, late)));

      assertThat(verdict.violations())
          .containsExactly("b was lost in the first pass: it took effect in replay 1 only");
      assertThat(verdict.none()).isZero();
    }
  }

  @Test
  void an_order_that_only_the_second_replay_let_take_effect_was_lost_too() {
    List<LedgerRow> whole = List.of(FIRST, OTHER);

    assertThat(afterPasses(Mode.TRANSACTIONAL, List.of(List.of(FIRST), List.of(FIRST), whole))
            .violations())
        .containsExactly("b was lost in replay 1: it took effect in replay 2 only");
  }

  @Test
  void a_replay_may_add_no_effect_even_of_an_order_in_doubt_at_a_kill() {
    List<LedgerRow> once = List.of(FIRST, OTHER);
    List<LedgerRow> again = List.of(FIRST, OTHER, AGAIN);
    Evidence explained = new Evidence(
        again, List.of(RECOVERY), Map.of(), List.of(KILL), passes(List.of(once, again)));
    Evidence beforeTheReplay = new Evidence(
        again, List.of(RECOVERY), Map.of(), List.of(KILL), passes(List.of(again, again)));

    assertThat(CampaignVerdict.of(Mode.LEASED, Set.of("a", "b"), explained).violations())
        .containsExactly("a took effect again in replay 1, although the first pass had settled it");
    assertThat(
            CampaignVerdict.of(Mode.LEASED, Set.of("a", "b"), beforeTheReplay).violations())
        .isEmpty();
  }

  private static CampaignVerdict afterPasses(Mode mode, List<List<LedgerRow>> ledgers) {
    return CampaignVerdict.of(
        mode,
        Set.of("a", "b"),
        new Evidence(
            ledgers.get(ledgers.size() - 1), List.of(), Map.of(), List.of(), passes(ledgers)));
  }

  private static List<LedgerSnapshot> passes(List<List<LedgerRow>> ledgers) {
    return IntStream.range(0, ledgers.size())
        .mapToObj(pass ->
            LedgerSnapshot.of(pass == 0 ? "the first pass" : "replay " + pass, ledgers.get(pass)))
        .toList();
  }

  private static AuditSample sample(Finding finding, String id) {
    return new AuditSample(finding, id, "orders-0@1", Text.NONE);
  }

  private static AuditReport.Ids ids(int distinct, int done, int retry, int dead, int unknown) {
    return new AuditReport.Ids(distinct, done, 0, 0, retry, dead, unknown, 0, 0);
  }

  /** Two orders in three messages, one of which is a duplicate, and poison. */
  static Stream<Arguments> audits() {
    return Stream.of(
        arguments("all orders are done", ids(2, 2, 0, 0, 0), 0, List.of(), 0, List.of()),
        arguments(
            "an order would run again",
            ids(2, 1, 0, 0, 1),
            0,
            List.of(sample(Finding.UNKNOWN, "b")),
            0,
            List.of(
                "orders that would run again: 1",
                "orders whose marks are DONE: 1 of 2",
                "b at orders-0@1 is UNKNOWN in the audit")),
        arguments(
            "not the whole topic was read",
            ids(1, 1, 0, 0, 0),
            0,
            List.of(),
            0,
            List.of(
                "the audit read 2 messages, but 3 were published",
                "orders whose marks are DONE: 1 of 2")),
        arguments(
            "poison is dead or without an id",
            ids(4, 2, 0, 2, 0),
            1,
            List.of(sample(Finding.DEAD, "poison-1-0"), sample(Finding.MISSING_ID, "")),
            3,
            List.of()),
        arguments(
            "poison would run again, and an order is dead",
            ids(4, 1, 1, 2, 0),
            0,
            List.of(sample(Finding.RETRY, "poison-1-0"), sample(Finding.DEAD, "b")),
            2,
            List.of(
                "orders that would run again: 1",
                "orders whose marks are DONE: 1 of 2",
                "poison-1-0 at orders-0@1 is RETRY in the audit",
                "b at orders-0@1 is DEAD in the audit")),
        arguments(
            "poison is missing",
            ids(3, 2, 0, 1, 0),
            2,
            List.of(),
            3,
            List.of(
                "messages whose marks are DEAD: 1 of 2",
                "messages without an id: 2, but 1 were published")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("audits")
  void an_audit_must_find_all_orders_done_and_all_poison_dead(
      String name,
      AuditReport.Ids ids,
      int missingIds,
      List<AuditSample> samples,
      int poisoned,
      List<String> violations) {
    Poison poison = Poison.generate(1, poisoned);
    AuditReport report = new AuditReport(
        "order-service",
        missingIds + ids.distinct() + 1,
        missingIds,
        0,
        1,
        ids,
        List.of(),
        samples,
        List.of(),
        AuditReport.OtherHeaders.NONE);

    assertThat(HOLDS.withAudit(report, 3 + poison.count(), 2, poison).violations())
        .isEqualTo(violations);
  }
}
