package io.hapax.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.GenerationMove;
import io.hapax.Generations;
import io.hapax.IdempotentReceiver;
import io.hapax.Incoming;
import io.hapax.MissingIdPolicy;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.InMemoryDedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every count of an audit, and that they add up. */
@Timeout(60)
class AuditorTest {

  private static final Duration LEASE = Duration.ofHours(1);
  private static final AuditSettings<Message> SETTINGS =
      AuditSettings.of("orders", AuditorTest::idOf, AuditorTest::payload);

  private Instant now = Instant.parse("2026-11-21T12:00:00Z");
  private final InMemoryDedupStore store = new InMemoryDedupStore(() -> now, Duration.ofDays(8));
  private long nonces;

  private record Message(String id, String payload) {}

  private static Optional<Bytes> idOf(Message message) {
    return message.id().isEmpty() ? Optional.empty() : Optional.of(Bytes.utf8(message.id()));
  }

  private static Fingerprint payload(Message message) {
    return Fingerprint.of(message.payload().getBytes(StandardCharsets.UTF_8));
  }

  private static Message message(String id) {
    return new Message(id, "payload of " + id);
  }

  private Claim claim(Message message) {
    return claim(message, payload(message));
  }

  private Claim claim(Message message, Fingerprint fingerprint) {
    ClaimRequest request = new ClaimRequest(
        MessageKey.of("orders", message.id()),
        new Nonce(7, ++nonces),
        fingerprint,
        new Origin("host-17", ""),
        new ClaimTerms(true, true, ClaimTerms.ANY_TIME));
    return ((Acquired) store.claim(List.of(request), LEASE).get(0)).claim();
  }

  private void settle(Claim claim, Verdict verdict) {
    store.settle(List.of(new Settlement(claim, verdict)));
  }

  private void done(Message message) {
    settle(claim(message), Verdict.Done.WITHOUT_RESULT);
  }

  private AuditReport audit(Message... messages) throws InterruptedException {
    return audit(SETTINGS, List.of(messages));
  }

  private AuditReport audit(AuditSettings<Message> settings, List<Message> messages)
      throws InterruptedException {
    try (Auditor<Message> auditor = new Auditor<>(store, settings)) {
      for (int i = 0; i < messages.size(); i++) {
        auditor.add(messages.get(i), "orders-0@" + i);
      }
      return auditor.finish(List.of(new ScannedRange("orders-0", 0, messages.size())));
    }
  }

  private static AuditSample sample(AuditReport report, Finding finding) {
    return report.samples().stream()
        .filter(it -> it.finding() == finding)
        .findFirst()
        .orElseThrow();
  }

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
        .isEqualTo(new AuditSample(Finding.UNKNOWN, "a", "orders-0@0", ""));
  }

  @Test
  void what_is_in_flight_would_not_run_now_but_is_not_settled() throws Exception {
    claim(message("a"));

    AuditReport report = audit(message("a"));

    assertThat(report.ids().inFlight()).isEqualTo(1);
    assertThat(report.wouldRunAgain()).isZero();
    assertThat(report.settled()).isFalse();
    assertThat(sample(report, Finding.IN_FLIGHT).detail()).contains("host-17");
  }

  @Test
  void a_claim_whose_lease_is_over_is_stale_and_may_have_taken_effect() throws Exception {
    claim(message("a"));
    now = now.plus(LEASE);

    AuditReport report = audit(message("a"));

    assertThat(report.ids().stale()).isEqualTo(1);
    assertThat(report.ids().inDoubt()).isEqualTo(1);
    assertThat(report.wouldRunAgain()).isEqualTo(1);
    assertThat(sample(report, Finding.STALE).detail()).contains("host-17", "may have taken effect");
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
    assertThat(sample(report, Finding.DEAD).detail()).isEqualTo("no such price list");
  }

  @Test
  void a_duplicate_inside_the_topic_counts_its_id_once() throws Exception {
    done(message("done"));

    AuditReport report =
        audit(message("new"), message("done"), message("new"), message("done"), message("new"));

    assertThat(report.messages()).isEqualTo(5);
    assertThat(report.duplicates()).isEqualTo(3);
    assertThat(report.ids().distinct()).isEqualTo(2);
    assertThat(report.wouldRunAgain()).isEqualTo(1);
  }

  @Test
  void another_payload_than_the_marks_is_a_conflict_and_never_runs() throws Exception {
    settle(claim(message("a")), new Verdict.Retry(Duration.ZERO, false));

    AuditReport report = audit(new Message("a", "another"));

    assertThat(report.conflicts()).isEqualTo(1);
    assertThat(report.ids().conflicting()).isEqualTo(1);
    assertThat(report.ids().retry()).isZero();
    assertThat(report.wouldRunAgain()).isZero();
    assertThat(sample(report, Finding.CONFLICT).coordinates()).isEqualTo("orders-0@0");
  }

  @Test
  void an_id_that_first_comes_with_another_payload_counts_once_its_own_comes() throws Exception {
    settle(claim(message("a")), new Verdict.Retry(Duration.ZERO, false));

    AuditReport report = audit(
        SETTINGS.withLookups(new AuditSettings.Lookups(1, 1)),
        List.of(new Message("a", "another"), message("b"), message("c"), message("a")));

    assertThat(report.conflicts()).isEqualTo(1);
    assertThat(report.ids().conflicting()).isZero();
    assertThat(report.ids().retry()).isEqualTo(1);
  }

  @Test
  void without_a_mark_the_first_payload_is_the_one_that_runs() throws Exception {
    AuditReport report = audit(message("a"), new Message("a", "another"), message("a"));

    assertThat(report.conflicts()).isEqualTo(1);
    assertThat(report.duplicates()).isEqualTo(1);
    assertThat(report.wouldRunAgain()).isEqualTo(1);
  }

  @Test
  void a_done_mark_without_a_fingerprint_conflicts_with_nothing() throws Exception {
    settle(claim(message("a"), Fingerprint.NONE), Verdict.Done.WITHOUT_RESULT);

    AuditReport report = audit(message("a"), new Message("a", "another"));

    assertThat(report.conflicts()).isZero();
    assertThat(report.duplicates()).isEqualTo(1);
  }

  @Test
  void a_message_without_an_id_is_counted_and_never_runs() throws Exception {
    AuditReport report = audit(new Message("", "?"), new Message(" ", "?"));

    assertThat(report.missingIds()).isEqualTo(2);
    assertThat(report.wouldRunAgain()).isZero();
    assertThat(sample(report, Finding.MISSING_ID).coordinates()).isEqualTo("orders-0@0");
  }

  @Test
  void one_that_is_known_by_its_coordinates_has_an_id() throws Exception {
    var receiver = IdempotentReceiver.<Message>builder("orders")
        .id(AuditorTest::idOf)
        .fingerprint(AuditorTest::payload)
        .missingId(MissingIdPolicy.COORDINATES)
        .leased(store, delivery -> {});
    try (receiver) {
      receiver.receive(
          List.of(new Incoming<>(new Message("", "?"), "orders-0", "orders-0@0", false)),
          Duration.ofMinutes(1));
    }

    AuditReport report = audit(
        SETTINGS.withMissingIds(MissingIdPolicy.COORDINATES),
        List.of(new Message("", "?"), new Message("", "?")));

    assertThat(report.missingIds()).isZero();
    assertThat(report.ids().done()).isEqualTo(1);
    assertThat(report.ids().unknown()).isEqualTo(1);
  }

  @Test
  void an_extractor_that_throws_finds_no_id() throws Exception {
    AuditSettings<Message> throwing = AuditSettings.of(
        "orders",
        message -> {
          throw new IllegalStateException("no such field");
        },
        AuditorTest::payload);

    AuditReport report = audit(throwing, List.of(message("a")));

    assertThat(report.missingIds()).isEqualTo(1);
    assertThat(sample(report, Finding.MISSING_ID).detail()).contains("no such field");
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
  void the_marks_of_the_present_generation_count() throws Exception {
    done(message("a"));
    assertThat(audit(message("a")).settled()).isTrue();

    assertThat(Generations.advance(store, "orders", 0)).isEqualTo(new GenerationMove.Moved(1));

    assertThat(audit(message("a")).wouldRunAgain()).isEqualTo(1);
    try (var receiver = IdempotentReceiver.<Message>builder("orders")
        .id(AuditorTest::idOf)
        .fingerprint(AuditorTest::payload)
        .leased(store, delivery -> {})) {
      receiver.receive(
          List.of(new Incoming<>(message("a"), "orders-0", "orders-0@0", false)),
          Duration.ofMinutes(1));
    }
    assertThat(audit(message("a")).settled()).isTrue();
  }

  @Test
  void no_more_samples_are_kept_than_asked_for() throws Exception {
    List<Message> messages =
        IntStream.range(0, 5_000).mapToObj(i -> message("id-" + i)).toList();

    AuditReport report = audit(SETTINGS.withSamples(3), messages);

    assertThat(report.samples())
        .extracting(AuditSample::id)
        .hasSize(3) // any: look-ups are answered in no order
        .doesNotHaveDuplicates()
        .allMatch(id -> id.startsWith("id-"));
  }

  @Test
  void many_ids_are_told_apart() throws Exception {
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

  /** The promise itself: the count is what a receiver of that name then hands to its handler. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void what_would_run_again_is_what_a_receiver_then_runs(int seed) throws Exception {
    Random random = new Random(seed);
    List<Message> messages = world(random);
    AuditReport report =
        audit(SETTINGS.withLookups(new AuditSettings.Lookups(1 + random.nextInt(5), 2)), messages);
    List<String> handled = new CopyOnWriteArrayList<>();
    var receiver = IdempotentReceiver.<Message>builder("orders")
        .id(AuditorTest::idOf)
        .fingerprint(AuditorTest::payload)
        .deadLetters(letter -> {})
        .leased(store, delivery -> handled.add(delivery.messageId()));

    now = now.plus(Duration.ofMinutes(1)); // what was given back is due, and no lease is over
    try (receiver) {
      for (Message message : messages) {
        receiver.receive(
            List.of(new Incoming<>(message, "lane", "orders-0@7", false)), Duration.ofMinutes(1));
      }
    }

    assertThat(handled).doesNotHaveDuplicates().hasSize((int) report.wouldRunAgain());
  }

  /** Marks in all states, and messages of theirs and of nobody's. */
  private List<Message> world(Random random) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Message message = message("id-" + random.nextInt(20));
      messages.add(random.nextInt(4) == 0 ? new Message(message.id(), "another") : message);
    }
    messages.add(new Message("", "?"));
    for (int i = 0; i < 10; i++) {
      Message message = message("id-" + i);
      Fingerprint fingerprint = random.nextInt(3) == 0 ? Fingerprint.NONE : payload(message);
      switch (random.nextInt(6)) {
        case 0 -> settle(claim(message, fingerprint), Verdict.Done.WITHOUT_RESULT);
        case 1 -> settle(claim(message, fingerprint), new Verdict.Dead("why"));
        case 2 ->
          settle(claim(message, fingerprint), new Verdict.Retry(Duration.ofSeconds(30), true));
        case 3 -> settle(claim(message, fingerprint), new Verdict.Release());
        case 4 -> {
          claim(message, fingerprint);
          if (i < 5) {
            now = now.plus(LEASE);
          }
        }
        default -> {
          // It has no mark.
        }
      }
    }
    return messages;
  }

  @Test
  void counts_that_do_not_add_up_are_refused() {
    AuditReport.Ids ids = new AuditReport.Ids(3, 1, 0, 1, 0, 0, 0, 1, 1);

    assertThat(new AuditReport("orders", 6, 1, 2, 1, ids, List.of(), List.of()).wouldRunAgain())
        .isEqualTo(1);
    assertThatThrownBy(() -> new AuditReport("orders", 7, 1, 2, 1, ids, List.of(), List.of()))
        .hasMessageContaining("add up");
    assertThatThrownBy(() -> new AuditReport.Ids(3, 1, 1, 1, 0, 0, 0, 1, 0))
        .hasMessageContaining("add up");
    assertThatThrownBy(() -> new AuditReport.Ids(1, 1, 0, 0, 0, 0, 0, 0, 1))
        .hasMessageContaining("in doubt");
  }

  @Test
  void the_report_says_every_count_in_words() throws Exception {
    done(message("a"));

    String text = audit(message("a"), message("b"), new Message("", "?")).toText();

    assertThat(text)
        .containsPattern("(?m)^messages +3$")
        .containsPattern("(?m)^    done +1$")
        .containsPattern("(?m)^WOULD RUN AGAIN +1$")
        .contains("  unknown: b at orders-0@1\n", "  missing id: at orders-0@2 (no id)\n");
  }
}
