package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.deferral;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.errors.DeferredException;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailedAttemptsTest {

  private final List<DeadLetter<String>> buried = new ArrayList<>();
  private final TestRunning running = new TestRunning(settings());
  private final InFlightMessage<String> message = running.messages.message("A");

  private TestSettings settings() {
    TestSettings settings = new TestSettings();
    settings.deadLetters = Optional.of(buried::add);
    return settings;
  }

  private void fail(Exception failure) {
    running.failedAttempts.write(message, Optional.of(failure));
  }

  private Mark mark() {
    return running.store.find(List.of(message.requiredKey())).get(0).orElseThrow();
  }

  @Test
  void a_failed_attempt_is_written_although_its_transaction_was_rolled_back() {
    fail(new IllegalStateException());

    assertThat(deferral(message).reason()).isEqualTo(Reason.RETRY);
    assertThat(mark().state()).isEqualTo(MarkState.RETRY);
    assertThat(mark().claim().attempt().number()).isEqualTo(1);
    assertThat(mark().claim().attempt().inDoubt()).isFalse();
  }

  @Test
  void an_attempt_past_the_maximum_is_dead_lettered_even_if_it_defers() {
    for (int i = 0; i < 3; i++) {
      Verdict failed = new Verdict.Retry(Duration.ZERO, false);
      var unused = running.store.settle(
          List.of(new Settlement(running.settling.claim("A").claim(), failed)));
    }

    fail(new DeferredException(Duration.ofSeconds(1)));

    assertThat(message.outcome()).get().isInstanceOf(Outcome.DeadLettered.class);
    assertThat(mark().state()).isEqualTo(MarkState.DEAD);
    assertThat(buried)
        .extracting(DeadLetter::kind)
        .containsExactly(DeadLetter.Kind.ATTEMPTS_EXHAUSTED);
  }

  @Test
  void a_message_that_may_run_after_all_is_released() {
    running.failedAttempts.write(message, Optional.empty());

    assertThat(deferral(message)).isEqualTo(BlockedLanes.SHORTLY);
    assertThat(mark().claim().attempt().number()).isEqualTo(0);
  }

  @Test
  void a_message_that_another_owner_has_claimed_meanwhile_is_busy() {
    var unused = running.settling.claim("A");

    fail(new IllegalStateException());

    assertThat(deferral(message).reason()).isEqualTo(Reason.BUSY);
  }

  @Test
  void a_message_is_redelivered_if_the_store_does_not_answer() {
    running.store.down = true;

    fail(new IllegalStateException());

    assertThat(deferral(message).reason()).isEqualTo(Reason.STORE_UNAVAILABLE);
  }
}
