package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.policy.ConflictPolicy.Decision;
import io.hapax.policy.ConflictingMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Another payload under a known id, and the policy that decides what becomes of it. */
@DisplayName("invariant 11: the same id with another payload is never acknowledged silently")
class ConflictPolicyTest extends FaultFixture {

  private final List<Decision> told = new CopyOnWriteArrayList<>();
  private final List<ConflictingMessage<String>> asked = new CopyOnWriteArrayList<>();

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
    IdempotentReceiver<String> receiver =
        open(builder.leased(marks, delivery -> effects.add(delivery.message())));
    receiver.receive(lane("p0", "a=1"), PATIENCE);
    return receiver;
  }

  @Test
  void without_a_policy_a_conflict_is_dead_lettered_and_reported() throws Exception {
    IdempotentReceiver<String> receiver = afterTheFirst(telling());

    Outcome outcome = receiver.receive(lane("p0", "a=2"), PATIENCE).get(0);

    assertThat(outcome).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).extracting(DeadLetter::message).containsExactly("a=2");
    assertThat(told).containsExactly(Decision.DEAD_LETTER);
  }

  @Test
  void a_dropping_policy_gets_the_conflict_and_every_drop_is_counted() throws Exception {
    IdempotentReceiver<String> receiver = afterTheFirst(telling().onConflict(conflict -> {
      asked.add(conflict);
      return Decision.DROP;
    }));

    List<Outcome> outcomes = receiver.receive(lane("p0", "a=2", "b=1"), PATIENCE);

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Dropped.class);
    assertThat(outcomes.get(0).mayAcknowledge()).isTrue();
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Executed.class);
    assertThat(asked)
        .containsExactly(
            new ConflictingMessage<>("a=2", "a", "p0@0", "another payload is DONE under this id"));
    assertThat(told).containsExactly(Decision.DROP);
    assertThat(effects).containsExactly("a=1", "b=1");
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertThat(buried).isEmpty();
  }

  @Test
  void a_policy_that_fails_stops_the_lane_and_health_names_the_message() throws Exception {
    IdempotentReceiver<String> receiver =
        afterTheFirst(telling().onConflict(conflict -> Decision.FAIL));

    List<Outcome> outcomes = receiver.receive(lane("p0", "a=2", "b=1"), PATIENCE);

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
    receiver.receive(lane("p0", "a=2"), PATIENCE);

    receiver.receive(lane("p0", "a=2"), PATIENCE);

    assertThat(receiver.problems()).isEmpty();
    assertThat(told).containsExactly(Decision.FAIL, Decision.DEAD_LETTER);
  }

  @Test
  void the_problem_of_a_lane_ends_if_its_message_is_not_redelivered() throws Exception {
    Duration shortly = Duration.ofMillis(10);
    IdempotentReceiver<String> receiver = afterTheFirst(telling()
        .retry(new RetrySettings(3, shortly, shortly))
        .onConflict(conflict -> Decision.FAIL));

    receiver.receive(lane("p0", "a=2"), PATIENCE);

    Awaitility.await().atMost(PATIENCE).until(() -> receiver.problems().isEmpty());
  }

  @Test
  @DisplayName("invariant 1: a policy that throws is no ack, whatever it throws")
  void a_policy_that_throws_stops_the_lane_with_growing_pauses() throws Exception {
    IdempotentReceiver<String> receiver = afterTheFirst(telling().onConflict(conflict -> {
      throw new NoClassDefFoundError("PayloadComparison");
    }));

    Outcome first = receiver.receive(lane("p0", "a=2"), PATIENCE).get(0);
    Outcome second = receiver.receive(lane("p0", "a=2"), PATIENCE).get(0);

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

    Outcome outcome = receiver.receive(lane("p0", "a=2"), PATIENCE).get(0);

    assertThat(reason(outcome)).isEqualTo(Outcome.Reason.CONFLICT);
  }

  @Test
  void the_policy_also_decides_about_what_waited_for_the_running_first() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    IdempotentReceiver<String> receiver =
        open(telling().onConflict(conflict -> Decision.DROP).leased(marks, delivery -> {
          if (delivery.message().equals("a=1")) {
            running.countDown();
            go.await();
          }
        }));
    receiver.submit(lane("p0", "a=1"), (index, outcome) -> {});
    running.await();
    Outcomes outcomes = new Outcomes(2);
    Submission follower = receiver.submit(both(lane("p1", "a=2"), lane("p2", "other")), outcomes);
    outcomes.awaitFirst(); // so that a=2 waits for a=1 by now

    go.countDown();

    assertThat(follower.await(PATIENCE)).isTrue();
    assertThat(outcomes.seen.get(0).get(0)).isInstanceOf(Outcome.Dropped.class);
    assertThat(told).containsExactly(Decision.DROP);
  }
}
