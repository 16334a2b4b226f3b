package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.errors.DeferredException;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers in transactional mode that defer their message. */
class TransactionalDeferralTest extends TransactionalFixture {

  private static final Duration WAIT = Duration.ofMinutes(10);

  private boolean orderIsThere;

  /** Writes before it defers, so that a rollback is needed. */
  private IdempotentReceiver<String> deferring() {
    return receiver((transaction, delivery) -> {
      write(transaction, delivery.message());
      if (delivery.message().equals("later") && !orderIsThere) {
        throw new DeferredException(WAIT, "its order is not there yet");
      }
    });
  }

  private static Reason reason(Outcome outcome) {
    return ((Deferred) outcome).reason();
  }

  /** A lane on probation runs its messages one by one, under claims. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_deferred_message_is_rolled_back_and_keeps_its_attempts(boolean oneByOne) throws Exception {
    IdempotentReceiver<String> shop = deferring();

    List<Outcome> outcomes = shop.receive(lane("p0", oneByOne, "a", "later", "b"), PATIENCE);

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(reason(outcomes.get(1))).isEqualTo(Reason.DEFERRED);
    assertThat(((Deferred) outcomes.get(1)).after()).isEqualTo(WAIT);
    assertThat(reason(outcomes.get(2))).isEqualTo(Reason.BLOCKED);
    assertThat(effects()).containsExactly("a");
    assertThat(mark("later").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("later").claim().attempt().number()).isZero();
    assertThat(mark("later").claim().attempt().inDoubt()).isFalse();
  }

  @Test
  void a_deferred_message_takes_effect_once_when_it_is_due() throws Exception {
    IdempotentReceiver<String> shop = deferring();
    receive(shop, "later");
    assertThat(reason(receive(shop, "later").get(0))).isEqualTo(Reason.BUSY);
    store.setClockOffset(WAIT.plusSeconds(1));
    orderIsThere = true;

    assertThat(receive(shop, "later").get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(receive(shop, "later").get(0)).isInstanceOf(Outcome.Duplicate.class);

    assertThat(effects()).containsExactly("later");
  }

  @Test
  void a_deferral_beyond_the_limit_is_a_failed_attempt() throws Exception {
    RetrySettings retry = new RetrySettings(1, Duration.ofMinutes(1), Duration.ofMinutes(1));
    IdempotentReceiver<String> shop = open(builder()
        .retry(retry.withMaxDeferral(Duration.ofMinutes(15)))
        .transactional(store, (transaction, deliveries) -> {
          throw new DeferredException(WAIT);
        }));
    Outcome first = receive(shop, "later").get(0);
    store.setClockOffset(WAIT.plusSeconds(1));

    Outcome second = receive(shop, "later").get(0);

    assertThat(reason(first)).isEqualTo(Reason.DEFERRED);
    assertThat(second).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
  }
}
