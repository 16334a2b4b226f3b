package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Transactional mode: what is lost between the claim of a failed attempt and its end, and what is
 * given up while it waits.
 */
class LostInTransactionTest extends TransactionFixture implements ReceiverListener {

  private final AtomicInteger lost = new AtomicInteger();

  @Override
  public void onMarkLost(MessageKey key, long token) {
    lost.incrementAndGet();
  }

  @Test
  @DisplayName("invariant 9: a mark that was lost is counted when its message is dead-lettered")
  void the_lost_mark_of_a_dead_lettered_message_is_reported() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .retry(new RetrySettings(1, Duration.ofSeconds(1), Duration.ofSeconds(1)))
        .listener(this)
        .transactional(
            transactions((verb, items, call) ->
                verb.equals("settle") ? List.of(new SettleAnswer.Settled(true)) : call.go()),
            (transaction, deliveries) -> {
              clock.advance(Duration.ofHours(1)); // this map's transactions leave their claims
              throw new IllegalStateException("poison");
            }));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(lost).hasValue(1);
  }

  @Test
  @DisplayName("invariant 6: the claim of a failed attempt that comes too late opens nothing")
  void a_claim_of_a_failed_attempt_that_the_store_executes_late_changes_nothing() throws Exception {
    AtomicInteger claims = new AtomicInteger();
    IdempotentReceiver<String> receiver = open(builder()
        .transactional(
            transactions((verb, items, call) -> {
              if (verb.equals("runOnce") && !items.isEmpty()) {
                throw new BrokenTransactionException("rolled back");
              }
              if (verb.equals("claim")) {
                claims.incrementAndGet();
                clock.advance(Duration.ofHours(1));
                call.go();
                throw new StoreException("no answer in time");
              }
              return call.go();
            }),
            (transaction, deliveries) -> {}));

    assertThat(receive(receiver, "a")).hasOnlyElementsOfType(Outcome.Deferred.class);
    assertThat(claims).hasValue(1);
    assertThat(state("a")).isEmpty();
  }

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
