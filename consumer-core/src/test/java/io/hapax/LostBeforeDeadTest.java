package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.mark.Claim;
import io.hapax.mark.MarkState;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Messages whose marks are lost before they are dead-lettered. */
class LostBeforeDeadTest extends FaultFixture {

  private final CountDownLatch sent = new CountDownLatch(1);
  private final CountDownLatch settled = new CountDownLatch(1);
  private final CountDownLatch executed = new CountDownLatch(1);

  private final LossyStore slow = new LossyStore(clock) {
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // others go on while it waits
    public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
      sent.countDown();
      await(settled);
      List<RenewAnswer> answers = super.renew(claims, lease);
      executed.countDown();
      return answers;
    }
  };

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_message_whose_lost_mark_a_late_renewal_wrote_runs_when_it_is_redriven() throws Exception {
    RetrySettings once = new RetrySettings(1, Duration.ofSeconds(1), Duration.ofSeconds(1));
    Outcome outcome = open(builder().retry(once).lease(STEADY).leased(slow, delivery -> {
          await(sent);
          slow.loseUnlessDone(key("a"));
          throw new IllegalStateException("poison");
        }))
        .receive(lane("p0", "a"), PATIENCE)
        .get(0);
    assertThat(outcome).isInstanceOf(Outcome.DeadLettered.class); // and so acknowledged
    settled.countDown();
    await(executed);
    assertThat(slow.mark(key("a"))).hasValueSatisfying(it -> {
      assertThat(it.state()).isEqualTo(MarkState.PROCESSING);
      assertThat(it.claim().attempt().number()).as("a redrive publishes it").isZero();
    });
    clock.advance(Duration.ofHours(1));

    assertThat(open(builder().leased(slow, this::record))
            .receive(lane("p0", "a"), PATIENCE)
            .get(0))
        .isInstanceOf(Outcome.Executed.class);
  }

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
        eventually(() -> otherLane.getCount() == 0);
        loseUnlessDone(key("a"));
      }
      return super.settle(settlements);
    }
  };

  @Test
  void a_lane_behind_a_second_copy_waits_for_that_copy_if_it_is_redelivered() throws Exception {
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
