package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.errors.NotAppliedException;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.ConflictPolicy.Decision;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Another payload under a known id, and the policy that decides what becomes of it. */
@DisplayName("invariant 11: the same id with another payload is never acknowledged silently")
class ConflictPolicyTest extends FaultFixture {

  private final List<Decision> told = new CopyOnWriteArrayList<>();
  private final List<ConflictPolicy.ConflictingMessage<String>> asked =
      new CopyOnWriteArrayList<>();

  private ReceiverBuilder<String> telling() {
    return builder().listener(new ReceiverListener() {
      @Override
      public void onConflict(MessageKey key, String coordinates, Decision decision) {
        told.add(decision);
      }
    });
  }

  /** A receiver that has done {@code a=1}. */
  private IdempotentReceiver<String> afterTheFirst(ReceiverBuilder<String> builder)
      throws Exception {
    IdempotentReceiver<String> receiver = open(builder.leased(marks, this::record));
    receive(receiver, "a=1");
    return receiver;
  }

  @Test
  void without_a_policy_a_conflict_is_dead_lettered_and_reported() throws Exception {
    IdempotentReceiver<String> receiver = afterTheFirst(telling());

    Outcome outcome = receiveOne(receiver, "a=2");

    assertThat(outcome).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).extracting(DeadLetter::message).containsExactly("a=2");
    assertThat(effects).containsExactly("a=1");
    assertThat(told).containsExactly(Decision.DEAD_LETTER);
  }

  @Test
  void a_dropping_policy_gets_the_conflict_and_every_drop_is_counted() throws Exception {
    IdempotentReceiver<String> receiver = afterTheFirst(telling().onConflict(conflict -> {
      asked.add(conflict);
      return Decision.DROP;
    }));

    List<Outcome> outcomes = receive(receiver, "a=2", "b=1");

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Dropped.class);
    assertThat(outcomes.get(0).mayAcknowledge()).isTrue();
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Executed.class);
    assertThat(asked)
        .containsExactly(new ConflictPolicy.ConflictingMessage<>(
            "a=2", "a", "p0@0", "another payload is DONE under this id"));
    assertThat(told).containsExactly(Decision.DROP);
    assertThat(effects).containsExactly("a=1", "b=1");
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertThat(buried).isEmpty();
  }

  @Test
  void a_policy_that_fails_stops_the_lane_and_health_names_the_message() throws Exception {
    IdempotentReceiver<String> receiver =
        afterTheFirst(telling().onConflict(conflict -> Decision.FAIL));

    List<Outcome> outcomes = receive(receiver, "a=2", "b=1");

    assertThat(reason(outcomes.get(0))).isEqualTo(Outcome.Reason.CONFLICT);
    assertThat(reason(outcomes.get(1))).isEqualTo(Outcome.Reason.BLOCKED);
    assertThat(effects).containsExactly("a=1");
    assertThat(receiver.problems()).asString().contains("p0@0", "another payload");
  }

  @Test
  void a_later_decision_of_the_policy_ends_the_problem_of_the_lane() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    IdempotentReceiver<String> receiver = afterTheFirst(telling()
        .onConflict(
            conflict -> calls.incrementAndGet() == 1 ? Decision.FAIL : Decision.DEAD_LETTER));
    receive(receiver, "a=2");

    receive(receiver, "a=2");

    assertThat(receiver.problems()).isEmpty();
    assertThat(told).containsExactly(Decision.FAIL, Decision.DEAD_LETTER);
  }

  @Test
  void the_problem_of_a_lane_ends_if_its_message_is_not_redelivered() throws Exception {
    Duration shortly = Duration.ofMillis(10);
    IdempotentReceiver<String> receiver = afterTheFirst(telling()
        .retry(new RetrySettings(3, shortly, shortly))
        .onConflict(conflict -> Decision.FAIL));

    receive(receiver, "a=2");

    eventually(() -> receiver.problems().isEmpty());
  }

  @Test
  @DisplayName("invariant 1: a policy that throws is no ack, whatever it throws")
  void a_policy_that_throws_stops_the_lane_with_growing_pauses() throws Exception {
    IdempotentReceiver<String> receiver = afterTheFirst(telling().onConflict(conflict -> {
      throw new NoClassDefFoundError("PayloadComparison");
    }));

    Outcome first = receiveOne(receiver, "a=2");
    Outcome second = receiveOne(receiver, "a=2");

    assertThat(reason(first)).isEqualTo(Outcome.Reason.CONFLICT);
    assertThat(((Outcome.Deferred) first).after()).isEqualTo(Duration.ofMinutes(1));
    assertThat(((Outcome.Deferred) second).after()).isEqualTo(Duration.ofMinutes(2));
    assertThat(receiver.problems()).asString().contains("PayloadComparison");
    assertThat(buried).isEmpty();
  }

  @Test
  void a_policy_that_hangs_is_interrupted_and_acknowledges_nothing() throws Exception {
    IdempotentReceiver<String> receiver =
        afterTheFirst(telling().handlerTimeout(Duration.ofMillis(100)).onConflict(conflict -> {
          new CountDownLatch(1).await();
          return Decision.DROP;
        }));

    Outcome outcome = receiveOne(receiver, "a=2");

    assertThat(reason(outcome)).isEqualTo(Outcome.Reason.CONFLICT);
  }

  @Test
  void the_policy_also_decides_about_what_waited_for_the_running_first() throws Exception {
    Gate handler = new Gate();
    IdempotentReceiver<String> receiver =
        open(telling().onConflict(conflict -> Decision.DROP).leased(marks, delivery -> {
          if (delivery.message().equals("a=1")) {
            handler.pass();
          }
        }));
    receiver.submit(lane("p0", "a=1"), IGNORED);
    handler.awaitReached();
    Outcomes outcomes = new Outcomes(2);
    Submission follower = receiver.submit(both(lane("p1", "a=2"), lane("p2", "other")), outcomes);
    outcomes.awaitFirst(); // so that a=2 waits for a=1 by now

    handler.open();

    awaitAll(follower);
    assertThat(outcomes.seen.get(0).get(0)).isInstanceOf(Outcome.Dropped.class);
    assertThat(told).containsExactly(Decision.DROP);
  }

  @Test
  @DisplayName("invariants 1 and 11: a dead-lettered impostor does not take its victim with it")
  void the_owner_of_a_mark_is_not_dead_lettered_for_an_earlier_conflict() throws Exception {
    AtomicBoolean gatewayDown = new AtomicBoolean(true);
    IdempotentReceiver<String> receiver = open(builder().leased(marks, delivery -> {
      if (gatewayDown.get()) {
        throw new NotAppliedException("gateway down");
      }
      effects.add(delivery.message());
    }));
    receive(receiver, "a=1"); // its mark waits for the next attempt
    gatewayDown.set(false);
    clock.advance(Duration.ofMinutes(2));

    List<Outcome> outcomes = receive(receiver, "a=2", "a=1");
    if (!outcomes.get(1).mayAcknowledge()) {
      receive(receiver, "a=1");
    }

    assertThat(buried).extracting(DeadLetter::message).containsExactly("a=2");
    assertThat(effects).containsExactly("a=1");
  }

  @Test
  @DisplayName("invariant 1: a dead letter goes where its own receiver sends them")
  void a_conflicting_follower_is_dead_lettered_by_its_own_receiver() throws Exception {
    Gate handler = new Gate();
    IdempotentReceiver<String> first = open(builder()
        .deadLetters(letter -> effects.add("wrong topic"))
        .leased(marks, delivery -> handler.pass()));
    IdempotentReceiver<String> second = open(builder().leased(marks, delivery -> {}));
    Submission holder = first.submit(lane("p0", "a=1"), IGNORED);
    handler.awaitReached();
    Outcomes outcomes = new Outcomes(2);
    Submission follower = second.submit(both(lane("p1", "a=2"), lane("p2", "other")), outcomes);
    outcomes.awaitFirst(); // so that a=2 waits for a=1 by now

    handler.open();
    holder.await(PATIENCE);

    awaitAll(follower);
    assertThat(effects).isEmpty();
    assertThat(buried).extracting(DeadLetter::message).containsExactly("a=2");
  }
}
