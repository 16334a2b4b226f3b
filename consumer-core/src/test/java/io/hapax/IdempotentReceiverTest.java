package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.adapter.Submission;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of a message that is received, in leased mode. */
class IdempotentReceiverTest extends LeasedFixture {

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
    callsToLose.set(1_000_000);
    IdempotentReceiver<String> receiver = recording();

    List<Outcome> outcomes = receiver.receive(lane("p0", "a", "b"), Duration.ofMillis(200));

    assertThat(outcomes).noneMatch(Outcome::mayAcknowledge);
    assertThat(effects).isEmpty();
    assertThat(receiver.problems()).isNotEmpty();
    assertThat(claimCalls).as("it is asked with pauses").hasValueLessThan(16);
    callsToLose.set(0);
    assertThat(receive(receiver, "a", "b")).allMatch(Outcome::mayAcknowledge);
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  @DisplayName("invariant 6: a call whose reply was lost is repeated under the same nonce")
  void lost_replies_cost_neither_a_message_nor_a_second_run() throws Exception {
    IdempotentReceiver<String> receiver = recording();
    receive(receiver, "warm up");
    repliesToLose.set(1);
    assertThat(receive(receiver, "a")).allMatch(Outcome.Executed.class::isInstance);
    Gate handler = new Gate();
    IdempotentReceiver<String> second = receiver(delivery -> {
      handler.pass();
      effects.add(delivery.message());
    });
    AtomicInteger acks = new AtomicInteger();
    Submission submission = second.submit(
        lane("p0", "b"), (index, outcome) -> acks.addAndGet(outcome.mayAcknowledge() ? 1 : 0));
    handler.awaitReached();
    repliesToLose.set(1); // of the settlement
    handler.open();

    assertThat(submission.await(LONG_PATIENCE)).isTrue();
    assertThat(acks).hasValue(1);
    assertThat(effects).containsExactly("warm up", "a", "b");
    assertThat(mark("a").claim().attempt().number()).isEqualTo(1);
  }

  @Test
  @DisplayName("invariant 10: a lost shared claim costs no attempt; its message runs again solo")
  void a_lost_shared_claim_is_taken_over_alone_and_shown_to_the_handler() throws Exception {
    ClaimAnswer.Acquired lost = claimedElsewhere("a", false, Duration.ofMinutes(1));
    clock.advance(Duration.ofMinutes(2));
    List<Delivery<String>> seen = new CopyOnWriteArrayList<>();

    List<Outcome> outcomes = receive(receiver(seen::add), "a", "b");

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(seen.get(0).recovery()).isTrue();
    assertThat(seen.get(0).attempt()).isEqualTo(1);
    ClaimAnswer.Previous previous = seen.get(0).previousOwner().orElseThrow();
    assertThat(previous.owner()).isEqualTo("elsewhere");
    assertThat(previous.token()).isEqualTo(lost.claim().token());
    assertThat(previous.age()).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3));
    assertThat(seen.get(0).fencingToken()).isGreaterThan(lost.claim().token());
    assertThat(seen.get(1).recovery()).isFalse();
  }

  @Test
  void a_closed_receiver_takes_nothing_and_leaves_no_thread() throws Exception {
    IdempotentReceiver<String> receiver = IdempotentReceiver.<String>builder("leaves-no-thread")
        .noFingerprint()
        .id(text -> Optional.of(Bytes.utf8(text)))
        .handlerTimeout(LONG_PATIENCE) // for which a timer stands by
        .leased(store, delivery -> {});
    receive(receiver, "a");
    receiver.close();

    assertThatThrownBy(() -> receiver.submit(lane("p0", "a"), IGNORED))
        .isInstanceOf(ReceiverClosedException.class)
        .hasMessageContaining("leaves-no-thread");
    Awaitility.await()
        .atMost(LONG_PATIENCE)
        .until(() -> Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().contains("leaves-no-thread")));
  }

  @Test
  @DisplayName("invariant 12: the same id never runs twice at once, even if its lease is lost")
  void a_second_delivery_waits_for_the_running_first_even_after_its_lease() throws Exception {
    Gate handler = new Gate();
    AtomicInteger atOnce = new AtomicInteger();
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      assertThat(atOnce.incrementAndGet()).isEqualTo(1);
      handler.pass();
      effects.add(delivery.message());
      atOnce.decrementAndGet();
    });
    Submission first = receiver.submit(lane("p0", "a"), IGNORED);
    handler.awaitReached();
    clock.advance(Duration.ofHours(1));
    List<Outcome> second = new CopyOnWriteArrayList<>();
    Submission again = receiver.submit(lane("p1", "a"), (index, outcome) -> second.add(outcome));

    assertThat(again.await(Duration.ofMillis(100))).isFalse();
    handler.open();

    assertThat(first.await(LONG_PATIENCE)).isTrue();
    assertThat(again.await(LONG_PATIENCE)).isTrue();
    assertThat(second).containsExactly(new Outcome.Duplicate());
    assertThat(effects).containsExactly("a");
  }

  @Test
  @DisplayName("invariant 5: an owner that was replaced is fenced and acknowledges nothing")
  void a_late_owner_does_not_acknowledge() throws Exception {
    Gate handler = new Gate();
    IdempotentReceiver<String> receiver = receiver(delivery -> handler.pass());
    List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    Submission submission =
        receiver.submit(lane("p0", "a"), (index, outcome) -> outcomes.add(outcome));
    handler.awaitReached();
    clock.advance(Duration.ofHours(1));
    claimedElsewhere("a", true, Duration.ofMinutes(5));
    handler.open();

    assertThat(submission.await(LONG_PATIENCE)).isTrue();
    assertThat(((Deferred) outcomes.get(0)).reason()).isEqualTo(Reason.LEASE_LOST);
    assertThat(mark("a").claim().origin().owner()).isEqualTo("elsewhere");
  }
}
