package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import shop.Billing;

/** Messages that cannot be handled, and a target that may not take them. */
class DeadLetterTest extends FaultFixture {

  private static final RetrySettings ONE_ATTEMPT =
      new RetrySettings(1, Duration.ofSeconds(1), Duration.ofSeconds(1));

  private static void noSuchTopic(DeadLetter<String> letter) {
    throw new IllegalStateException("no such topic");
  }

  @Test
  @DisplayName("invariant 1: a message that cannot be dead-lettered for want of a target is no ack")
  void without_a_target_a_message_without_an_id_waits_and_health_says_why() throws Exception {
    IdempotentReceiver<String> receiver = open(IdempotentReceiver.<String>builder(SCOPE)
        .noFingerprint()
        .id(text -> Optional.empty())
        .leased(marks, it -> {}));

    Outcome outcome = receiveOne(receiver, "a");

    assertThat(reason(outcome)).isEqualTo(Outcome.Reason.DEAD_LETTER_FAILED);
    assertThat(receiver.problems()).asString().contains("deadLetters is not set");
  }

  @Test
  @DisplayName("invariants 1 and 11: a conflict whose record was not taken is no ack")
  void a_conflict_that_cannot_be_dead_lettered_is_not_acknowledged() throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().deadLetters(DeadLetterTest::noSuchTopic).leased(marks, delivery -> {}));
    receive(receiver, "a=1");

    Outcome outcome = receiveOne(receiver, "a=2");

    assertThat(reason(outcome)).isEqualTo(Outcome.Reason.DEAD_LETTER_FAILED);
  }

  @Test
  @DisplayName("invariant 9: a message that cannot be dead-lettered stays in doubt")
  void a_refused_dead_letter_keeps_the_doubt() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .retry(ONE_ATTEMPT)
        .deadLetters(DeadLetterTest::noSuchTopic)
        .leased(marks, throwing(new IllegalStateException("who knows"))));

    Outcome outcome = receiveOne(receiver, "a");

    assertThat(reason(outcome)).isEqualTo(Outcome.Reason.DEAD_LETTER_FAILED);
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("a").claim().attempt().inDoubt()).isTrue();
    assertThat(receiver.problems()).asString().contains("no such topic");
  }

  @Test
  void a_dead_letter_names_the_method_of_the_handler_that_failed() throws Exception {
    List<String> places = new CopyOnWriteArrayList<>();
    UnaryOperator<ReceiverBuilder<String>> failing = it -> it.retry(ONE_ATTEMPT)
        .deadLetters(letter -> places.add(DeadLetterMetadata.of(letter).failedAt()));

    open(failing.apply(builder()).leased(marks, Billing::handle))
        .receive(lane("p0", "a"), PATIENCE);
    open(failing.apply(builder()).answering(marks, Billing::answer))
        .receive(lane("p0", "b"), PATIENCE);

    assertThat(places).hasSize(2).containsOnly(Billing.PLACE);
  }

  @Test
  @DisplayName("invariant 1: a record is published before its mark is DEAD, possibly twice")
  void a_crash_between_record_and_mark_leaves_two_records_and_one_dead_mark() throws Exception {
    MessageHandler<String> poison = throwing(new IllegalStateException("poison"));
    Fault dies = before("settle", items -> {
      throw new StoreException("the process died before it had sent this");
    });
    IdempotentReceiver<String> first =
        open(builder().retry(ONE_ATTEMPT).leased(faulty(dies), poison));
    Submission lost = first.submit(lane("p0", "a"), IGNORED);
    eventually(() -> first.health().problems().size() == 1);
    first.close();
    awaitAll(lost);
    assertThat(mark("a").state()).isEqualTo(MarkState.PROCESSING);
    clock.advance(Duration.ofHours(1));

    Outcome again = open(builder().retry(ONE_ATTEMPT).leased(marks, poison))
        .receive(lane("p0", "a"), PATIENCE)
        .get(0);

    assertThat(again).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).extracting(DeadLetter::messageId).containsExactly("a", "a");
    assertThat(mark("a").state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void a_second_message_of_a_dead_id_is_claimed_and_is_no_duplicate() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .id(text -> Optional.of(Bytes.utf8(text)))
        .fingerprint(text -> Fingerprint.NONE)
        .retry(ONE_ATTEMPT)
        .leased(marks, throwing(new IllegalStateException("poison"))));

    List<Outcome> outcomes = receiver.receive(both(lane("p0", "a"), lane("p1", "a")), PATIENCE);

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Deferred.class);
    assertThat(receiver.receive(lane("p1", "a"), PATIENCE).get(0))
        .isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
  }

  @Test
  @DisplayName("invariant 1: a dead letter that is brought back runs, however early")
  void a_message_redriven_before_its_settlement_is_answered_runs() throws Exception {
    AtomicBoolean poison = new AtomicBoolean(true);
    CountDownLatch settled = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    DedupStore slow = faulty((verb, items, call) -> {
      Object answer = call.go();
      if (verb.equals("settle") && settled.getCount() > 0) {
        settled.countDown();
        answered.await();
      }
      return answer;
    });
    IdempotentReceiver<String> first = open(builder().retry(ONE_ATTEMPT).leased(slow, delivery -> {
      if (poison.get()) {
        throw new IllegalStateException("poison");
      }
      effects.add(delivery.message());
    }));
    IdempotentReceiver<String> second = open(builder().leased(slow, this::record));
    Submission dying = first.submit(lane("p0", "a"), IGNORED);
    settled.await();
    poison.set(false);
    Mark dead = mark("a");
    assertThat(marks.resolve(dead.key(), dead.claim().token(), dead.state(), Resolution.REOPEN))
        .isTrue();
    Outcomes outcomes = new Outcomes(2);
    Submission back = second.submit(both(lane("p1", "a"), lane("p2", "other")), outcomes);
    outcomes.awaitFirst(); // so that the one that came back waits for the first by now

    answered.countDown();
    awaitAll(dying, back);

    assertThat(outcomes.seen.get(0).get(0)).isInstanceOf(Outcome.Deferred.class);
    assertThat(second.receive(lane("p1", "a"), PATIENCE).get(0))
        .isInstanceOf(Outcome.Executed.class);
    assertThat(effects).containsExactly("other", "a");
  }

  private final CountDownLatch go = new CountDownLatch(1);
  private final List<Outcome> outcomes = new CopyOnWriteArrayList<>();

  private IdempotentReceiver<String> poisoned(DeadLetterPublisher<String> publisher) {
    return open(builder()
        .retry(ONE_ATTEMPT)
        .deadLetterTimeout(Duration.ofSeconds(1))
        .deadLetters(publisher)
        .leased(marks, throwing(new IllegalStateException("poison"))));
  }

  @Test
  @DisplayName("invariant 14: a publisher that never returns is interrupted and tried again")
  void a_publisher_that_does_not_return_is_interrupted_and_called_again_later() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    IdempotentReceiver<String> receiver = poisoned(letter -> {
      if (calls.incrementAndGet() == 1) {
        go.await();
      }
      buried.add(letter);
    });

    receiver.submit(lane("p0", "a"), (index, outcome) -> outcomes.add(outcome));

    eventually(() -> !outcomes.isEmpty());
    assertThat(reason(outcomes.get(0))).isEqualTo(Outcome.Reason.DEAD_LETTER_FAILED);
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
    assertThat(receiver.health().well()).isFalse();
    assertThat(receiver.problems())
        .asString()
        .contains("p0@0 (a) could not be dead-lettered")
        .contains("the publisher did not return within PT1S");

    clock.advance(Duration.ofMinutes(1));
    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
    assertThat(receiver.health().well()).isTrue();
  }

  @Test
  @DisplayName("invariant 14: a publisher that ignores its interrupt is named")
  void a_publisher_that_ignores_its_interrupt_is_named_until_it_returns() throws Exception {
    IdempotentReceiver<String> receiver = poisoned(letter -> {
      awaitUninterruptibly(go);
      buried.add(letter);
    });

    receiver.submit(lane("p0", "a"), (index, outcome) -> outcomes.add(outcome));

    awaitProblem(receiver, "dead-letter publisher for p0@0", "has not returned");
    assertThat(outcomes).isEmpty();
    assertThat(mark("a").state()).isEqualTo(MarkState.PROCESSING);

    go.countDown();
    eventually(() -> !outcomes.isEmpty());
    assertThat(reason(outcomes.get(0))).isEqualTo(Outcome.Reason.DEAD_LETTER_FAILED);
    assertThat(receiver.problems()).asString().doesNotContain("has not returned");

    clock.advance(Duration.ofMinutes(1));
    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(mark("a").state()).isEqualTo(MarkState.DEAD);
    assertThat(receiver.health().well()).isTrue();
  }

  private final CountDownLatch otherLane = new CountDownLatch(1);

  /**
   * Loses all marks before it takes a DEAD settlement, but not before the only worker handles the
   * other lane. By then the first lane waits for the outcome of the dead message.
   */
  private final DedupStore store = faulty(before("settle", items -> {
    if (items.stream().anyMatch(it -> ((Settlement) it).verdict() instanceof Verdict.Dead)) {
      eventually(() -> otherLane.getCount() == 0);
      loseMarks();
    }
  }));

  @Test
  void a_lane_behind_a_second_copy_waits_for_that_copy_if_it_is_redelivered() throws Exception {
    AtomicBoolean poison = new AtomicBoolean(true);
    IdempotentReceiver<String> receiver =
        open(builder().workers(1).retry(ONE_ATTEMPT).leased(store, delivery -> {
          if (delivery.message().equals("a") && poison.getAndSet(false)) {
            throw new IllegalStateException("poison");
          }
          if (delivery.message().equals("other")) {
            otherLane.countDown();
          } else {
            effects.add(delivery.message());
          }
        }));

    List<Outcome> outcomes =
        receiver.receive(both(lane("p0", "a", "a", "b"), lane("p1", "other")), PATIENCE);
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.DeadLettered.class);
    for (int i = 1; i < 3; i++) { // as a broker that keeps order does
      if (!outcomes.get(i).mayAcknowledge()) {
        receiver.receive(lane("p0", i == 1 ? "a" : "b"), PATIENCE);
      }
    }

    assertThat(effects).containsExactly("a", "b");
  }
}
