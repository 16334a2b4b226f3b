package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Transactional mode: what was given up while it waited is the next owner's, and so is its dead
 * letter.
 */
class GivenUpInTransactionTest extends TransactionFixture {

  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch goesOn = new CountDownLatch(1);

  private IdempotentReceiver<String> receiver() {
    return open(builder()
        .workers(1)
        .transactional(
            transactions((verb, items, call) -> call.go()), (transaction, deliveries) -> {
              if (deliveries.stream().anyMatch(it -> it.message().equals("slow"))) {
                running.countDown();
                goesOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
              }
              deliveries.forEach(it -> effects.add(it.message()));
            }));
  }

  private void awaitSlow() throws InterruptedException {
    assertThat(running.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private static void assertAbandoned(List<Outcome> seen) {
    assertThat(seen)
        .singleElement()
        .extracting(it -> ((Outcome.Deferred) it).reason())
        .isEqualTo(Outcome.Reason.ABANDONED);
  }

  @Test
  void an_abandoned_message_without_an_id_is_not_dead_lettered() throws Exception {
    IdempotentReceiver<String> receiver = receiver();
    receiver.submit(lane("p0", "slow"), new Outcomes(1));
    awaitSlow();
    Outcomes outcomes = new Outcomes(1);
    Submission waiting = receiver.submit(lane("p1", "=1"), outcomes);
    Awaitility.await().atMost(PATIENCE).until(() -> {
      waiting.abandon();
      return !outcomes.seen.get(0).isEmpty();
    });

    goesOn.countDown();
    receiver.receive(lane("p2", "later"), PATIENCE);

    assertAbandoned(outcomes.seen.get(0));
    assertThat(buried).isEmpty();
  }

  @Test
  void an_abandoned_conflict_has_only_its_own_outcome_while_others_run() throws Exception {
    IdempotentReceiver<String> receiver = receiver();
    receiver.receive(lane("p0", "a=1"), PATIENCE);
    Outcomes outcomes = new Outcomes(3);
    Submission submission =
        receiver.submit(both(lane("p0", "a=2", "behind"), lane("p1", "slow")), outcomes);
    awaitSlow();
    submission.abandon();

    goesOn.countDown();
    assertThat(submission.await(PATIENCE)).isTrue();
    receiver.receive(lane("p2", "later"), PATIENCE);

    boolean deadLettered = outcomes.seen.get(0).get(0) instanceof Outcome.DeadLettered;
    assertThat(buried).hasSize(deadLettered ? 1 : 0);
  }
}
