package io.hapax.operations.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.DeadLetter;
import io.hapax.DeadLetterPublisher;
import io.hapax.errors.AuditFailedException;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Verdict;
import io.hapax.operations.MarkFixture;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator dead-letters the message of an open mark. */
class DeadLetteringTest extends MarkFixture {

  private final MarkOperations marks = new MarkOperations(store, "orders");
  private final List<DeadLetter<String>> letters = new ArrayList<>();

  private ClaimAnswer claimAnswer() {
    return claimAnswer(new Fingerprint(13));
  }

  private Claim claimed() {
    return ((Acquired) claimAnswer()).claim();
  }

  private void lost() {
    lost(true, true);
  }

  private void lost(boolean solo, boolean external) {
    var unused = claimAnswer(
        KEY,
        "orders-0@7",
        new Fingerprint(13),
        new ClaimTerms(solo, external, ClaimTerms.ANY_TIME));
    leasesEnd();
  }

  private RedriveResult deadLetter() throws InterruptedException {
    return deadLetter(marks, letters::add);
  }

  private static RedriveResult deadLetter(
      MarkOperations marks, DeadLetterPublisher<String> publisher) throws InterruptedException {
    return marks.deadLetter("a", "orders-0@7", "payload", publisher);
  }

  /** Publishes nothing, as while a partition has no leader. */
  private static void refuse(DeadLetter<String> letter) throws IOException {
    throw new IOException("no leader");
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
    assertThat(claimAnswer()).isEqualTo(new ClaimAnswer.Dead("in doubt: given up by an operator"));
    assertThat(deadLetter()).isInstanceOf(Refused.class);
    assertThat(letters).hasSize(1);
  }

  @Test
  void one_that_failed_without_an_effect_is_not_in_doubt() throws Exception {
    settle(claimed(), new Verdict.Retry(Duration.ZERO, false));

    assertThat(deadLetter()).isEqualTo(new Published());

    assertThat(letters.get(0).kind()).isEqualTo(DeadLetter.Kind.NOT_RETRYABLE);
    assertThat(letters.get(0).inDoubt()).isFalse();
  }

  @Test
  void the_attempts_of_a_claim_that_was_lost_with_others_are_counted() throws Exception {
    lost(false, true);

    assertThat(deadLetter()).isEqualTo(new Published());

    assertThat(letters.get(0).attempts()).isEqualTo(1);
  }

  @Test
  void one_whose_transaction_was_rolled_back_is_not_in_doubt() throws Exception {
    lost(true, false);

    assertThat(deadLetter()).isEqualTo(new Published());

    assertThat(letters.get(0).kind()).isEqualTo(DeadLetter.Kind.NOT_RETRYABLE);
    assertThat(letters.get(0).inDoubt()).isFalse();
    assertThat(claimAnswer()).isEqualTo(new ClaimAnswer.Dead("given up by an operator"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"claim", "settle"})
  void a_call_whose_answer_was_lost_is_sent_again(String verb) throws Exception {
    lost();
    AtomicInteger calls = new AtomicInteger();
    MarkOperations losing = onStore((it, arguments) -> {
      Object answer = it.invoke(store, arguments);
      if (it.getName().equals(verb) && calls.incrementAndGet() == 1) {
        throw new StoreException("the answer was lost");
      }
      return answer;
    });

    assertThat(deadLetter(losing, letters::add)).isEqualTo(new Published());

    assertThat(calls).hasValue(2);
    assertThat(letters).hasSize(1);
    assertThat(mark().state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void a_claim_that_the_store_executes_late_changes_nothing() throws Exception {
    lost();
    Mark before = mark();
    MarkOperations slow = onStore((it, arguments) -> {
      now = now.plus(Duration.ofMinutes(1));
      return it.invoke(store, arguments);
    });

    assertThat(deadLetter(slow, letters::add).why().toString())
        .isEqualTo("its mark changed after it was read");

    assertThat(letters).isEmpty();
    assertThat(mark()).isEqualTo(before);
  }

  @Test
  void a_mark_that_was_lost_after_it_was_read_is_not_made_dead() throws Exception {
    lost();
    InMemoryDedupStore emptied = new InMemoryDedupStore(() -> now, Duration.ofDays(8));
    MarkOperations reading = onStore((it, arguments) -> it.invoke(emptied, arguments));

    assertThat(deadLetter(reading, letters::add).why().toString())
        .isEqualTo("there is no mark of it in this store any more");

    assertThat(letters).isEmpty();
    assertThat(emptied.find(List.of(KEY)).get(0).orElseThrow().state()).isEqualTo(MarkState.RETRY);
  }

  /** Operates on the store, on which claims and settlements are made in a way. */
  private MarkOperations onStore(Call call) {
    return new MarkOperations(
        observed((it, arguments) -> Set.of("claim", "settle").contains(it.getName())
            ? call.make(it, arguments)
            : it.invoke(store, arguments)),
        "orders");
  }

  @Test
  void a_stale_mark_that_is_not_in_doubt_is_stale_again_after_a_refused_record() {
    lost(true, false);

    assertThatThrownBy(() -> deadLetter(marks, DeadLetteringTest::refuse))
        .isInstanceOf(AuditFailedException.class);

    now = now.plus(Duration.ofMinutes(3));
    assertThat(marks.list(MarkQuery.Kind.STALE, 10)).hasSize(1);
    assertThat(claimAnswer())
        .isInstanceOfSatisfying(
            Acquired.class, it -> assertThat(it.claim().attempt().inDoubt()).isFalse());
  }

  @Test
  void no_consumer_can_claim_it_until_it_is_dead() throws Exception {
    lost();

    deadLetter(marks, letter -> assertThat(claimAnswer()).isInstanceOf(ClaimAnswer.Busy.class));

    assertThat(mark().state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void a_message_in_doubt_stays_in_doubt_if_its_record_is_refused() {
    lost();

    assertThatThrownBy(() -> deadLetter(marks, DeadLetteringTest::refuse))
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

    RedriveResult answer = deadLetter(marks, letter -> {
      now = now.plus(Duration.ofMinutes(3));
      assertThat(claimAnswer()).isInstanceOf(Acquired.class);
    });

    assertThat(answer.why().toString())
        .startsWith("its record is in the dead-letter topic, but its mark");
    assertThat(mark().state()).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void one_that_waits_for_its_next_attempt_is_refused() throws Exception {
    settle(claimed(), new Verdict.Retry(Duration.ofSeconds(30), false));
    Mark before = mark();

    assertThat(deadLetter().why().toString()).contains("waits for its next attempt, for 30 s");

    assertThat(letters).isEmpty();
    assertThat(mark()).isEqualTo(before);
  }
}
