package io.hapax.operations.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Incoming;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Verdict;
import io.hapax.policy.MissingIdPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages that share an id, with one payload or with several, and those that have none. */
class AuditedIdsTest extends AuditFixture {

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
  void the_ids_with_the_most_messages_are_reported_exactly() throws Exception {
    List<Message> messages = new ArrayList<>();
    for (int round = 1; round <= 30; round++) {
      for (int id = round; id <= 30; id++) { // id 7 has 7 messages
        messages.add(message("id-" + id));
      }
    }
    Collections.shuffle(messages, new Random(1));

    AuditReport report = audit(SETTINGS, messages);

    assertThat(report.frequent())
        .containsExactlyElementsOf(IntStream.iterate(30, it -> it > 20, it -> it - 1)
            .mapToObj(it -> new AuditReport.FrequentId("id-" + it, it))
            .toList());
  }

  @Test
  void an_id_with_one_message_is_not_frequent() throws Exception {
    AuditReport report = audit(message("a"), message("b"), new Message("b", "another"));

    assertThat(report.frequent()).containsExactly(new AuditReport.FrequentId("b", 2));
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
        SETTINGS,
        List.of(new Message("a", "another"), message("b"), message("c"), message("a")),
        1);

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
        .id(AuditFixture::idOf)
        .fingerprint(AuditFixture::payload)
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
        AuditFixture::payload);

    AuditReport report = audit(throwing, List.of(message("a")));

    assertThat(report.missingIds()).isEqualTo(1);
    assertThat(sample(report, Finding.MISSING_ID).detail().toString()).contains("no such field");
  }
}
