package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Transactional mode: what is lost between the claim of a failed attempt and its end. */
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
    assertThat(marks.find(List.of(key("a")))).containsExactly(Optional.empty());
  }
}
