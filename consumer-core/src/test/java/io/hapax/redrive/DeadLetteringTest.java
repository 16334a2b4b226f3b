package io.hapax.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.DeadLetter;
import io.hapax.audit.AuditFailedException;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.redrive.RedriveResult.Published;
import io.hapax.redrive.RedriveResult.Refused;
import io.hapax.store.InMemoryDedupStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An operator dead-letters the message of an open mark. */
class DeadLetteringTest {

  private static final MessageKey KEY = MessageKey.of("orders", "a");
  private static final Duration LEASE = Duration.ofMinutes(1);

  private Instant now = Instant.parse("2026-11-28T12:00:00Z");
  private final InMemoryDedupStore store = new InMemoryDedupStore(() -> now, Duration.ofDays(8));
  private final MarkOperations marks = new MarkOperations(store, "orders");
  private final List<DeadLetter<String>> letters = new ArrayList<>();
  private long nonces;

  private ClaimAnswer claimAnswer() {
    ClaimRequest request = new ClaimRequest(
        KEY,
        new Nonce(7, ++nonces),
        new Fingerprint(13),
        new Origin("host-17", "orders-0@7"),
        new ClaimTerms(true, true, ClaimTerms.ANY_TIME));
    return store.claim(List.of(request), LEASE).get(0);
  }

  private Claim claimed() {
    return ((Acquired) claimAnswer()).claim();
  }

  private void lost() {
    var unused = claimed();
    now = now.plus(LEASE).plusSeconds(1);
  }

  private Mark mark() {
    return store.find(List.of(KEY)).get(0).orElseThrow();
  }

  private RedriveResult deadLetter() throws InterruptedException {
    return marks.deadLetter("a", "orders-0@7", "payload", letters::add);
  }

  @Test
  void the_mark_is_dead_after_the_record_of_its_unknown_effect() throws Exception {
    lost();

    assertThat(deadLetter()).isEqualTo(new Published());

    assertThat(letters).singleElement().satisfies(letter -> {
      assertThat(letter.message()).isEqualTo("payload");
      assertThat(letter.messageId()).isEqualTo("a");
      assertThat(letter.coordinates()).isEqualTo("orders-0@7");
      assertThat(letter.attempts()).isEqualTo(1);
      assertThat(letter.kind()).isEqualTo(DeadLetter.Kind.IN_DOUBT);
      assertThat(letter.inDoubt()).isTrue();
    });
    assertThat(mark().state()).isEqualTo(MarkState.DEAD);
    assertThat(claimAnswer()).isEqualTo(new ClaimAnswer.Dead("given up by an operator"));
    assertThat(deadLetter()).isInstanceOf(Refused.class);
    assertThat(letters).hasSize(1);
  }

  @Test
  void one_that_failed_without_an_effect_is_not_in_doubt() throws Exception {
    store.settle(List.of(new Settlement(claimed(), new Verdict.Retry(Duration.ZERO, false))));

    assertThat(deadLetter()).isEqualTo(new Published());

    assertThat(letters.get(0).kind()).isEqualTo(DeadLetter.Kind.NOT_RETRYABLE);
    assertThat(letters.get(0).inDoubt()).isFalse();
  }

  @Test
  void no_consumer_can_claim_it_until_it_is_dead() throws Exception {
    lost();

    marks.deadLetter(
        "a",
        "orders-0@7",
        "payload",
        letter -> assertThat(claimAnswer()).isInstanceOf(ClaimAnswer.Busy.class));

    assertThat(mark().state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void a_record_that_the_broker_refuses_leaves_the_message_as_it_was() {
    lost();

    assertThatThrownBy(() -> marks.deadLetter("a", "orders-0@7", "payload", letter -> {
          throw new IOException("no leader");
        }))
        .isInstanceOf(AuditFailedException.class)
        .hasMessageContaining("no leader");

    assertThat(claimAnswer()).isInstanceOfSatisfying(Acquired.class, again -> {
      assertThat(again.recovered()).as("its effect is still unknown").isTrue();
      assertThat(again.claim().attempt().number()).isEqualTo(2);
    });
  }

  @Test
  void a_consumer_that_took_it_over_during_the_publication_keeps_it() throws Exception {
    lost();

    RedriveResult answer = marks.deadLetter("a", "orders-0@7", "payload", letter -> {
      now = now.plus(Duration.ofMinutes(3));
      assertThat(claimAnswer()).isInstanceOf(Acquired.class);
    });

    assertThat(answer.why()).startsWith("its record is in the dead-letter topic, but its mark");
    assertThat(mark().state()).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void one_that_waits_for_its_next_attempt_is_refused() throws Exception {
    store.settle(
        List.of(new Settlement(claimed(), new Verdict.Retry(Duration.ofSeconds(30), false))));
    Mark before = mark();

    assertThat(deadLetter().why()).contains("waits for its next attempt, for PT30S");

    assertThat(letters).isEmpty();
    assertThat(mark()).isEqualTo(before);
  }
}
