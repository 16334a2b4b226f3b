package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.chaos.CampaignVerdict.Evidence;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Mode;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.audit.AuditSample;
import io.hapax.operations.audit.Finding;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A replay may add no effect, and the audit at the end must find all orders done. */
class VerdictOnReplaysTest extends VerdictFixture {

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

  @Test
  void an_audit_that_finds_all_orders_done_changes_nothing() {
    assertThat(
            audited(new AuditReport.Ids(2, 2, 0, 0, 0, 0, 0, 0, 0), List.of()).holds())
        .isTrue();
  }

  @Test
  void an_order_that_would_run_again_is_a_violation_and_is_named() {
    AuditSample sample = new AuditSample(Finding.UNKNOWN, "b", "orders-0@1", "");

    assertThat(audited(new AuditReport.Ids(2, 1, 0, 0, 0, 0, 1, 0, 0), List.of(sample))
            .violations())
        .containsExactly(
            "orders that would run again: 1",
            "orders whose marks are DONE: 1 of 2",
            "b at orders-0@1 is UNKNOWN in the audit");
  }

  @Test
  void an_audit_that_did_not_read_the_whole_topic_is_a_violation() {
    assertThat(
            audited(new AuditReport.Ids(1, 1, 0, 0, 0, 0, 0, 0, 0), List.of()).violations())
        .containsExactly(
            "the audit read 2 messages, but 3 were published",
            "orders whose marks are DONE: 1 of 2");
  }

  @Test
  void poison_that_is_dead_or_without_an_id_changes_nothing() {
    assertThat(audited(
                new AuditReport.Ids(4, 2, 0, 0, 0, 2, 0, 0, 0),
                1,
                List.of(
                    new AuditSample(Finding.DEAD, "poison-1-0", "orders-0@1", ""),
                    new AuditSample(Finding.MISSING_ID, "", "orders-0@2", "")),
                Poison.generate(1, 3))
            .violations())
        .isEmpty();
  }

  @Test
  void poison_that_would_run_again_and_a_dead_order_are_named_violations() {
    assertThat(audited(
                new AuditReport.Ids(4, 1, 0, 0, 1, 2, 0, 0, 0),
                0,
                List.of(
                    new AuditSample(Finding.RETRY, "poison-1-0", "orders-0@1", ""),
                    new AuditSample(Finding.DEAD, "b", "orders-0@2", "")),
                Poison.generate(1, 2))
            .violations())
        .containsExactly(
            "orders that would run again: 1",
            "orders whose marks are DONE: 1 of 2",
            "poison-1-0 at orders-0@1 is RETRY in the audit",
            "b at orders-0@2 is DEAD in the audit");
  }

  @Test
  void poison_that_the_audit_does_not_find_is_a_violation() {
    assertThat(audited(
                new AuditReport.Ids(3, 2, 0, 0, 0, 1, 0, 0, 0), 2, List.of(), Poison.generate(1, 3))
            .violations())
        .containsExactly(
            "messages whose marks are DEAD: 1 of 2",
            "messages without an id: 2, but 1 were published");
  }

  /** Two orders in three messages, one of which is a duplicate. */
  private static CampaignVerdict audited(AuditReport.Ids ids, List<AuditSample> samples) {
    return audited(ids, 0, samples, Poison.generate(1, 0));
  }

  private static CampaignVerdict audited(
      AuditReport.Ids ids, int missingIds, List<AuditSample> samples, Poison poison) {
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
    return judge(Mode.TRANSACTIONAL, List.of(FIRST, OTHER), List.of(), List.of())
        .withAudit(report, 3 + poison.count(), 2, poison);
  }
}
