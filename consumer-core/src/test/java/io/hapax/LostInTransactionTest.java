package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Transactional mode: a mark that is lost between the claim of a failed attempt and its end. */
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

    assertThat(receiver.receive(lane("p0", "a"), PATIENCE).get(0))
        .isInstanceOf(Outcome.DeadLettered.class);
    assertThat(lost).hasValue(1);
  }
}
