package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Transactional mode: what was given up while it waited is the next owner's, and so is its dead
 * letter.
 */
class GivenUpInTransactionTest extends TransactionFixture {

  private final Gate handler = new Gate();

  private IdempotentReceiver<String> receiver() {
    return open(builder()
        .workers(1)
        .transactional(
            transactions((verb, items, call) -> call.go()), (transaction, deliveries) -> {
              if (deliveries.stream().anyMatch(it -> it.message().equals("slow"))) {
                handler.pass();
              }
              deliveries.forEach(this::record);
            }));
  }

  private void awaitSlow() throws InterruptedException {
    handler.awaitReached();
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
    eventually(() -> {
      waiting.abandon();
      return !outcomes.seen.get(0).isEmpty();
    });

    handler.open();
    receiver.receive(lane("p2", "later"), PATIENCE);

    assertAbandoned(outcomes.seen.get(0));
    assertThat(buried).isEmpty();
  }

  @Test
  void an_abandoned_conflict_has_only_its_own_outcome_while_others_run() throws Exception {
    IdempotentReceiver<String> receiver = receiver();
    receive(receiver, "a=1");
    Outcomes outcomes = new Outcomes(3);
    Submission submission =
        receiver.submit(both(lane("p0", "a=2", "behind"), lane("p1", "slow")), outcomes);
    awaitSlow();
    submission.abandon();

    handler.open();
    awaitAll(submission);
    receiver.receive(lane("p2", "later"), PATIENCE);

    boolean deadLettered = outcomes.seen.get(0).get(0) instanceof Outcome.DeadLettered;
    assertThat(buried).hasSize(deadLettered ? 1 : 0);
  }
}
