package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The messages in a lane behind the second copy of a message that is dead-lettered. */
class LaneBehindTheDeadTest extends FaultFixture {

  private final AtomicBoolean poison = new AtomicBoolean(true);
  private final CountDownLatch otherLane = new CountDownLatch(1);

  /**
   * Loses the mark of what is dead before it says so, and only once the one worker is with another
   * lane: by then the first has gone as far as it goes.
   */
  private final LossyStore store = new LossyStore(clock) {
    @Override
    public synchronized List<SettleAnswer> settle(List<Settlement> settlements) {
      if (settlements.stream().anyMatch(it -> it.verdict() instanceof Verdict.Dead)) {
        Awaitility.await().atMost(PATIENCE).until(() -> otherLane.getCount() == 0);
        loseUnlessDone(key("a"));
      }
      return super.settle(settlements);
    }
  };

  @Test
  void does_not_run_before_that_copy_if_it_is_redelivered() throws Exception {
    RetrySettings once = new RetrySettings(1, Duration.ofSeconds(1), Duration.ofSeconds(1));
    IdempotentReceiver<String> receiver =
        open(builder().workers(1).retry(once).leased(store, delivery -> {
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
