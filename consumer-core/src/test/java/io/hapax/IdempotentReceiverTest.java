package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.Outcome.Deferred;
import io.hapax.Outcome.Reason;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The engine in leased mode, seen from the receiver's API; the store is the machine in a map. */
@Timeout(30)
class IdempotentReceiverTest {

  private static final String SCOPE = "orders";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final TestClock clock = new TestClock();
  private final InMemoryDedupStore marks = new InMemoryDedupStore(clock, Duration.ofDays(8));
  private final FaultyStore store = new FaultyStore(marks);
  private final List<String> effects = new CopyOnWriteArrayList<>();
  private final List<DeadLetter<String>> buried = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void closeReceivers() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  private ReceiverBuilder<String> builder() {
    return IdempotentReceiver.<String>builder(SCOPE)
        .id(text -> text.startsWith("?") ? Optional.empty() : Optional.of(Bytes.utf8(idOf(text))))
        .fingerprint(text -> Fingerprint.of(Bytes.utf8(text).toByteArray()))
        .retry(new RetrySettings(3, Duration.ofMinutes(1), Duration.ofMinutes(10)))
        .deadLetters(buried::add);
  }

  private static String idOf(String text) {
    return text.split("=", 2)[0];
  }

  private IdempotentReceiver<String> receiver(MessageHandler<String> handler) {
    return open(builder().leased(store, handler));
  }

  private IdempotentReceiver<String> recording() {
    return receiver(delivery -> effects.add(delivery.message()));
  }

  private <M> IdempotentReceiver<M> open(IdempotentReceiver<M> receiver) {
    opened.add(receiver);
    return receiver;
  }

  private static List<Incoming<String>> lane(String lane, String... messages) {
    return IntStream.range(0, messages.length)
        .mapToObj(i -> new Incoming<>(messages[i], lane, lane + "@" + i, false))
        .toList();
  }

  private static List<Outcome> receive(IdempotentReceiver<String> receiver, String... messages)
      throws InterruptedException {
    return receiver.receive(lane("p0", messages), PATIENCE);
  }

  private static MessageKey key(String id) {
    return MessageKey.of(SCOPE, id);
  }

  private Mark mark(String id) {
    return marks.find(List.of(key(id))).get(0).orElseThrow();
  }

  private ClaimAnswer.Acquired claimedElsewhere(String id, boolean solo, Duration lease) {
    ClaimRequest request = new ClaimRequest(
        key(id),
        new Nonce(7, id.hashCode()),
        Fingerprint.NONE,
        new Origin("elsewhere", "p0@0"),
        new ClaimTerms(solo, true, ClaimTerms.ANY_TIME));
    return (ClaimAnswer.Acquired) marks.claim(List.of(request), lease).get(0);
  }

  @Test
  void a_message_is_executed_and_its_mark_is_done() throws Exception {
    assertThat(receive(recording(), "a", "b")).allMatch(Outcome.Executed.class::isInstance);
    assertThat(effects).containsExactly("a", "b");
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_redelivered_message_is_acknowledged_without_running() throws Exception {
    IdempotentReceiver<String> receiver = recording();
    receive(receiver, "a");

    assertThat(receive(receiver, "a")).containsExactly(new Outcome.Duplicate());
    assertThat(effects).containsExactly("a");
  }

  @Test
  @DisplayName("the cost model: one claim for a poll, settles in groups")
  void a_poll_costs_one_claim() throws Exception {
    IdempotentReceiver<String> receiver = recording();
    receive(receiver, "warm up, and ask the store's time");
    int before = store.claimCalls.get();

    receive(receiver, IntStream.range(0, 500).mapToObj(i -> "m" + i).toArray(String[]::new));

    assertThat(store.claimCalls.get() - before).isEqualTo(1);
    assertThat(store.settleCalls.get()).isLessThan(250);
  }

  @Test
  @DisplayName("invariant 1: never an ack on Busy")
  void a_message_claimed_elsewhere_is_deferred_by_what_is_left_of_that_lease() throws Exception {
    claimedElsewhere("a", false, Duration.ofMinutes(5));

    Outcome outcome = receive(recording(), "a").get(0);

    assertThat(outcome.mayAcknowledge()).isFalse();
    assertThat(((Deferred) outcome).reason()).isEqualTo(Reason.BUSY);
    assertThat(((Deferred) outcome).after())
        .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
    assertThat(effects).isEmpty();
  }

  @Test
  @DisplayName("invariants 1 and 2: a store outage runs nothing and acknowledges nothing")
  void nothing_runs_while_the_store_is_away() throws Exception {
    store.callsToLose.set(1_000_000);
    IdempotentReceiver<String> receiver = recording();

    List<Outcome> outcomes = receiver.receive(lane("p0", "a", "b"), Duration.ofMillis(200));

    assertThat(outcomes).noneMatch(Outcome::mayAcknowledge);
    assertThat(effects).isEmpty();
    assertThat(receiver.trouble()).isPresent();
    store.callsToLose.set(0);
    assertThat(receive(receiver, "a", "b")).allMatch(Outcome::mayAcknowledge);
    assertThat(receiver.trouble()).isEmpty();
  }

  @Test
  @DisplayName("invariant 6: a lost reply is asked for again under the same nonce")
  void lost_replies_cost_neither_a_message_nor_a_second_run() throws Exception {
    IdempotentReceiver<String> receiver = recording();
    receive(receiver, "warm up");
    store.repliesToLose.set(1);
    assertThat(receive(receiver, "a")).allMatch(Outcome.Executed.class::isInstance);
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    IdempotentReceiver<String> second = receiver(delivery -> {
      running.countDown();
      go.await();
      effects.add(delivery.message());
    });
    AtomicInteger acks = new AtomicInteger();
    Submission submission = second.submit(
        lane("p0", "b"), (index, outcome) -> acks.addAndGet(outcome.mayAcknowledge() ? 1 : 0));
    running.await();
    store.repliesToLose.set(1); // of the settlement
    go.countDown();

    assertThat(submission.await(PATIENCE)).isTrue();
    assertThat(acks).hasValue(1);
    assertThat(effects).containsExactly("warm up", "a", "b");
    assertThat(mark("a").claim().attempt().number()).isEqualTo(1);
  }

  @Test
  @DisplayName("invariant 16: what stands behind a busy message is released at once")
  void claims_behind_a_busy_message_are_given_back() throws Exception {
    claimedElsewhere("a", false, Duration.ofMinutes(5));

    List<Outcome> outcomes = receive(recording(), "x", "a", "b");

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(((Deferred) outcomes.get(2)).reason()).isEqualTo(Reason.BEHIND);
    assertThat(mark("b").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("b").claim().attempt().number()).isZero();
  }

  @Test
  @DisplayName("invariant 16: other lanes go on")
  void a_busy_message_does_not_stop_another_lane() throws Exception {
    claimedElsewhere("a", false, Duration.ofMinutes(5));
    List<Incoming<String>> both = new ArrayList<>(lane("p0", "a"));
    both.addAll(lane("p1", "b"));

    assertThat(recording().receive(both, PATIENCE).get(1)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void a_failed_message_is_deferred_by_its_backoff_and_stops_its_lane() throws Exception {
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      if (delivery.message().equals("a") && delivery.attempt() == 1) {
        throw new IllegalStateException("gateway down");
      }
      effects.add(delivery.message());
    });

    List<Outcome> outcomes = receive(receiver, "a", "b");

    assertThat(((Deferred) outcomes.get(0)).reason()).isEqualTo(Reason.RETRY);
    assertThat(((Deferred) outcomes.get(1)).reason()).isEqualTo(Reason.BEHIND);
    assertThat(effects).isEmpty();
    assertThat(mark("a").claim().attempt().inDoubt()).isTrue();
    clock.advance(Duration.ofMinutes(1));
    assertThat(receive(receiver, "a", "b")).allMatch(Outcome.Executed.class::isInstance);
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void a_declared_before_effect_error_leaves_no_doubt() throws Exception {
    receive(
        receiver(delivery -> {
          throw new NotAppliedException("refused");
        }),
        "a");

    assertThat(mark("a").claim().attempt().inDoubt()).isFalse();
  }

  @Test
  @DisplayName(
      "invariant 1: dead only after its record is published; invariant 10: attempts are kept in the store")
  void after_the_last_attempt_the_message_is_dead_lettered() throws Exception {
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      throw new IllegalStateException("poison");
    });
    for (int i = 0; i < 2; i++) {
      assertThat(receive(receiver, "a").get(0).mayAcknowledge()).isFalse();
      clock.advance(Duration.ofMinutes(10));
    }

    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
    assertThat(mark("a").state()).isEqualTo(MarkState.DEAD);
    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
  }

  @Test
  @DisplayName("invariant 1: an unpublished dead letter is no ack")
  void a_dead_letter_that_cannot_be_published_keeps_the_message() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .retry(new RetrySettings(1, Duration.ofMillis(10), Duration.ofSeconds(1)))
        .deadLetters(letter -> {
          throw new IllegalStateException("no such topic");
        })
        .leased(store, delivery -> {
          throw new IllegalStateException("poison");
        }));

    Outcome outcome = receive(receiver, "a").get(0);

    assertThat(((Deferred) outcome).reason()).isEqualTo(Reason.DEAD_LETTER_FAILED);
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
    assertThat(receiver.trouble())
        .hasValueSatisfying(it -> assertThat(it).contains("no such topic"));
  }

  @Test
  @DisplayName("invariant 10: an attempt past the maximum does not run")
  void a_message_that_killed_its_owners_too_often_is_dead_lettered_without_running()
      throws Exception {
    for (int i = 0; i < 4; i++) {
      ClaimRequest request = new ClaimRequest(
          key("a"),
          new Nonce(9, i),
          Fingerprint.NONE,
          Origin.NONE,
          new ClaimTerms(true, true, ClaimTerms.ANY_TIME));
      marks.claim(List.of(request), Duration.ofMinutes(1));
      clock.advance(Duration.ofMinutes(2));
    }

    assertThat(receive(recording(), "a").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(effects).isEmpty();
    assertThat(buried).hasSize(1);
  }

  @Test
  @DisplayName("invariant 10: a lost shared claim costs no attempt; its message runs again solo")
  void a_lost_shared_claim_is_taken_over_alone_and_told_to_the_handler() throws Exception {
    ClaimAnswer.Acquired lost = claimedElsewhere("a", false, Duration.ofMinutes(1));
    clock.advance(Duration.ofMinutes(2));
    List<Delivery<String>> seen = new CopyOnWriteArrayList<>();

    List<Outcome> outcomes = receive(receiver(seen::add), "a", "b");

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(seen.get(0).recovery()).isTrue();
    assertThat(seen.get(0).attempt()).isEqualTo(1);
    assertThat(seen.get(0).previousOwner().orElseThrow().owner()).isEqualTo("elsewhere");
    assertThat(seen.get(0).fencingToken()).isGreaterThan(lost.claim().token());
    assertThat(seen.get(1).recovery()).isFalse();
  }

  @Test
  @DisplayName("invariant 12: twice in one batch, the second waits for the first")
  void the_second_of_one_batch_is_a_duplicate_of_the_first() throws Exception {
    List<Incoming<String>> batch = new ArrayList<>(lane("p0", "a", "a"));
    batch.addAll(lane("p1", "a", "b"));

    List<Outcome> outcomes = recording().receive(batch, PATIENCE);

    assertThat(outcomes).allMatch(Outcome::mayAcknowledge);
    assertThat(effects).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  @DisplayName("invariant 12: the same id never runs twice at once, even if its lease is lost")
  void a_second_delivery_waits_for_the_running_first_even_after_its_lease() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger atOnce = new AtomicInteger();
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      assertThat(atOnce.incrementAndGet()).isEqualTo(1);
      running.countDown();
      go.await();
      effects.add(delivery.message());
      atOnce.decrementAndGet();
    });
    Submission first = receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    running.await();
    clock.advance(Duration.ofHours(1));
    List<Outcome> second = new CopyOnWriteArrayList<>();
    Submission again = receiver.submit(lane("p1", "a"), (index, outcome) -> second.add(outcome));

    assertThat(again.await(Duration.ofMillis(100))).isFalse();
    go.countDown();

    assertThat(first.await(PATIENCE)).isTrue();
    assertThat(again.await(PATIENCE)).isTrue();
    assertThat(second).containsExactly(new Outcome.Duplicate());
    assertThat(effects).containsExactly("a");
  }

  @Test
  @DisplayName("invariant 5: an owner that was replaced is fenced and acknowledges nothing")
  void a_late_owner_does_not_acknowledge() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      running.countDown();
      go.await();
    });
    List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    Submission submission =
        receiver.submit(lane("p0", "a"), (index, outcome) -> outcomes.add(outcome));
    running.await();
    clock.advance(Duration.ofHours(1));
    claimedElsewhere("a", true, Duration.ofMinutes(5));
    go.countDown();

    assertThat(submission.await(PATIENCE)).isTrue();
    assertThat(((Deferred) outcomes.get(0)).reason()).isEqualTo(Reason.LEASE_LOST);
    assertThat(mark("a").claim().origin().owner()).isEqualTo("elsewhere");
  }

  @Test
  void a_long_handler_keeps_its_lease_alive() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    IdempotentReceiver<String> receiver =
        open(builder().lease(LeaseSettings.of(Duration.ofMillis(300))).leased(store, delivery -> {
          running.countDown();
          go.await();
        }));
    Submission submission = receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    running.await();
    java.time.Instant first = mark("a").until();

    org.awaitility.Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> mark("a").until().isAfter(first.plusMillis(300)));

    go.countDown();
    assertThat(submission.await(PATIENCE)).isTrue();
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_message_without_an_id_is_dead_lettered_and_then_acknowledged() throws Exception {
    assertThat(receive(recording(), "?", "b")).allMatch(Outcome::mayAcknowledge);
    assertThat(buried.get(0).kind()).isEqualTo(DeadLetter.Kind.MISSING_ID);
    assertThat(effects).containsExactly("b");
  }

  @Test
  void the_same_id_with_another_payload_is_dead_lettered_not_swallowed() throws Exception {
    IdempotentReceiver<String> receiver = recording();
    receive(receiver, "a=1");

    assertThat(receive(receiver, "a=2").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried.get(0).kind()).isEqualTo(DeadLetter.Kind.CONFLICT);
    assertThat(receive(receiver, "c=1", "c=2").get(1)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(effects).containsExactly("a=1", "c=1");
  }

  @Test
  void an_abandoned_submission_finishes_what_runs_and_releases_the_rest() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      running.countDown();
      go.await();
      effects.add(delivery.message());
    });
    CountDownLatch released = new CountDownLatch(1);
    List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    Submission submission = receiver.submit(lane("p0", "a", "b"), (index, outcome) -> {
      outcomes.add(outcome);
      released.countDown();
    });
    running.await();

    submission.abandon();

    assertThat(released.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(mark("b").state()).isEqualTo(MarkState.RETRY);
    go.countDown();
    assertThat(submission.await(PATIENCE)).isTrue();
    assertThat(effects).containsExactly("a");
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void a_closed_receiver_takes_nothing_and_leaves_no_thread() {
    IdempotentReceiver<String> receiver = IdempotentReceiver.<String>builder("leaves-no-thread")
        .noFingerprint()
        .id(text -> Optional.of(Bytes.utf8(text)))
        .leased(store, delivery -> {});
    receiver.close();

    assertThatThrownBy(() -> receiver.submit(lane("p0", "a"), (index, outcome) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("leaves-no-thread");
    org.awaitility.Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().contains("leaves-no-thread")));
  }
}
