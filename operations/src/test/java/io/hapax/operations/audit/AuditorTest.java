package io.hapax.operations.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Verdict;
import io.hapax.operations.internal.Tracing;
import io.hapax.operations.text.Text;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks the finding of an audit for each state of a mark. */
class AuditorTest extends AuditFixture {

  @Test
  void what_is_done_would_not_run_again() throws Exception {
    done(message("a"));

    AuditReport report = audit(message("a"));

    assertThat(report.ids().done()).isEqualTo(1);
    assertThat(report.wouldRunAgain()).isZero();
    assertThat(report.settled()).isTrue();
    assertThat(report.samples()).isEmpty();
  }

  @Test
  void what_has_no_mark_would_run_and_is_named() throws Exception {
    AuditReport report = audit(message("a"), message("b"));

    assertThat(report.ids().unknown()).isEqualTo(2);
    assertThat(report.wouldRunAgain()).isEqualTo(2);
    assertThat(sample(report, Finding.UNKNOWN))
        .isEqualTo(new AuditSample(Finding.UNKNOWN, "a", "orders-0@0", Text.NONE));
  }

  @Test
  void what_is_in_flight_would_not_run_now_but_is_not_settled() throws Exception {
    claim(message("a"));

    AuditReport report = audit(message("a"));

    assertThat(report.ids().inFlight()).isEqualTo(1);
    assertThat(report.wouldRunAgain()).isZero();
    assertThat(report.settled()).isFalse();
    assertThat(sample(report, Finding.IN_FLIGHT).detail().toString()).contains("host-17");
  }

  @Test
  void a_claim_with_an_expired_lease_is_stale_and_may_have_taken_effect() throws Exception {
    claim(message("a"));
    now = now.plus(LEASE);

    AuditReport report = audit(message("a"));

    assertThat(report.ids().stale()).isEqualTo(1);
    assertThat(report.ids().inDoubt()).isEqualTo(1);
    assertThat(report.wouldRunAgain()).isEqualTo(1);
    assertThat(sample(report, Finding.STALE).detail().toString())
        .contains("host-17", "may have taken effect");
  }

  @Test
  void what_waits_for_its_next_attempt_would_run_also_before_it_is_due() throws Exception {
    settle(claim(message("due")), new Verdict.Retry(Duration.ZERO, false));
    settle(claim(message("later")), new Verdict.Retry(Duration.ofDays(1), true));

    AuditReport report = audit(message("due"), message("later"));

    assertThat(report.ids().retry()).isEqualTo(2);
    assertThat(report.ids().inDoubt()).isEqualTo(1);
    assertThat(report.wouldRunAgain()).isEqualTo(2);
  }

  @Test
  void what_is_dead_would_not_run_and_says_why_it_died() throws Exception {
    settle(claim(message("a")), new Verdict.Dead("no such price list"));

    AuditReport report = audit(message("a"));

    assertThat(report.ids().dead()).isEqualTo(1);
    assertThat(report.wouldRunAgain()).isZero();
    assertThat(sample(report, Finding.DEAD).detail().toString()).isEqualTo("no such price list");
  }

  @Test
  void an_audit_changes_no_mark() throws Exception {
    claim(message("a"));
    Optional<Mark> before = store.find(List.of(MessageKey.of("orders", "a"))).get(0);

    audit(message("a"), message("b"));

    assertThat(store.find(List.of(MessageKey.of("orders", "a"), MessageKey.of("orders", "b"))))
        .containsExactly(before, Optional.empty());
  }

  @Test
  void many_ids_are_distinguished() throws Exception {
    List<Message> messages =
        IntStream.range(0, 120_000).mapToObj(i -> message("id-" + i % 100_000)).toList();
    for (int i = 0; i < 1_000; i++) {
      done(message("id-" + i * 100));
    }

    AuditReport report = audit(SETTINGS, messages);

    assertThat(report.ids().distinct()).isEqualTo(100_000);
    assertThat(report.duplicates()).isEqualTo(20_000);
    assertThat(report.ids().done()).isEqualTo(1_000);
    assertThat(report.wouldRunAgain()).isEqualTo(99_000);
  }

  @Test
  void ids_whose_duplicates_have_other_headers_are_counted_once_and_named() throws Exception {
    done(new Message("a", "order"));

    AuditReport report = audit(
        new Message("a", "order", "CREATED"),
        new Message("a", "order", "CREATED"),
        new Message("a", "order", "PAID"),
        new Message("a", "order", "CANCELLED"),
        new Message("a", "another order", "PAID"), // a conflict
        message("b"),
        message("b"));

    assertThat(report.otherHeaders())
        .isEqualTo(
            new AuditReport.OtherHeaders(1, List.of(Text.of("sample.place", "a", "orders-0@2"))));
    assertThat(report.toText().toString())
        .containsPattern("(?m)^    other headers +1  ids whose duplicates differ in a header")
        .contains("  other headers: a at orders-0@2\n");
  }

  @Test
  void headers_of_tracing_are_known_by_name() {
    assertThat(List.of("traceparent", "X-B3-TraceId", "sw8")).allMatch(Tracing::isTracing);
    assertThat(List.of("type", "TAGS", "trace")).noneMatch(Tracing::isTracing);
  }
}
