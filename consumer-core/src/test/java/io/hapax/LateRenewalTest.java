package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.mark.Claim;
import io.hapax.mark.MarkState;
import io.hapax.mark.RenewAnswer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A renewal that was on its way when its message came to its end. */
class LateRenewalTest extends FaultFixture {

  private final CountDownLatch sent = new CountDownLatch(1);
  private final CountDownLatch settled = new CountDownLatch(1);
  private final CountDownLatch executed = new CountDownLatch(1);

  private final LossyStore store = new LossyStore(clock) {
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
    Outcome outcome = open(builder().retry(once).lease(STEADY).leased(store, delivery -> {
          await(sent);
          store.loseUnlessDone(key("a"));
          throw new IllegalStateException("poison");
        }))
        .receive(lane("p0", "a"), PATIENCE)
        .get(0);
    assertThat(outcome).isInstanceOf(Outcome.DeadLettered.class); // and so acknowledged
    settled.countDown();
    await(executed);
    assertThat(store.mark(key("a"))).hasValueSatisfying(it -> {
      assertThat(it.state()).isEqualTo(MarkState.PROCESSING);
      assertThat(it.claim().attempt().number()).as("a redrive publishes it").isZero();
    });
    clock.advance(Duration.ofHours(1));

    assertThat(open(builder().leased(store, delivery -> effects.add(delivery.message())))
            .receive(lane("p0", "a"), PATIENCE)
            .get(0))
        .isInstanceOf(Outcome.Executed.class);
  }
}
