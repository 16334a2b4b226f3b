package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

  private static AuditSample sample(Finding finding, String id) {
    return new AuditSample(finding, id, "orders-0@1", "");
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
