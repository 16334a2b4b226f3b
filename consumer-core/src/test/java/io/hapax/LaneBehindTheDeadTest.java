package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What stands in a lane behind the second copy of a message that is dead-lettered. */
class LaneBehindTheDeadTest extends FaultFixture {

  private final AtomicBoolean poison = new AtomicBoolean(true);
  private final CountDownLatch overtaken = new CountDownLatch(1);

  /** Loses the mark of what is dead before it says so, and gives others the time to overtake. */
  private final LossyStore store = new LossyStore(clock) {
    @Override
    public synchronized List<SettleAnswer> settle(List<Settlement> settlements) {
      if (settlements.stream().anyMatch(it -> it.verdict() instanceof Verdict.Dead)) {
        try {
          var unused = overtaken.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        loseUnlessDone(key("a"));
      }
      return super.settle(settlements);
    }
  };

  @Test
  void does_not_run_before_that_copy_if_it_comes_again() throws Exception {
    RetrySettings once = new RetrySettings(1, Duration.ofSeconds(1), Duration.ofSeconds(1));
    IdempotentReceiver<String> receiver = open(builder().retry(once).leased(store, delivery -> {
      if (delivery.message().equals("a") && poison.getAndSet(false)) {
        throw new IllegalStateException("poison");
      }
      effects.add(delivery.message());
      overtaken.countDown();
    }));

    List<Outcome> outcomes = receiver.receive(lane("p0", "a", "a", "b"), PATIENCE);
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.DeadLettered.class);
    for (int i = 1; i < 3; i++) { // as a broker that keeps order does
      if (!outcomes.get(i).mayAcknowledge()) {
        receiver.receive(lane("p0", i == 1 ? "a" : "b"), PATIENCE);
      }
    }

    assertThat(effects).isIn(List.of("b"), List.of("a", "b"));
  }
}
