package io.hapax.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.store.GenerationLedger;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimAttemptTest {

  private final TestClaims claims = new TestClaims(new TestSettings());
  private final List<InFlightMessage<String>> messages = claims.read("A", "B");
  private final InFlightMessage<String> message = messages.get(0);
  private int answered;

  private void claim() {
    claims.claimer.claim(messages, () -> answered++);
    claims.threads.run();
  }

  @Test
  void all_messages_are_claimed_in_one_call() {
    claim();

    assertThat(messages).allMatch(it -> it.acquired().isPresent());
    assertThat(claims.settling.store.calls).containsExactly("claim 1", "claim 2");
    assertThat(answered).isEqualTo(1);
  }

  @Test
  void a_failed_call_is_repeated_until_it_is_answered() {
    claims.settling.store.down = true;
    claim();
    assertThat(message.isAnswered()).isFalse();

    claims.settling.store.down = false;
    claims.threads.advance(Duration.ofSeconds(1));

    assertThat(message.acquired()).isPresent();
  }

  @Test
  void messages_of_an_abandoned_submission_are_not_claimed_again() {
    claims.settling.store.down = true;
    claim();
    message.batch.abandon();

    claims.settling.store.down = false;
    claims.threads.advance(Duration.ofSeconds(1));

    assertThat(messages).allMatch(it -> it.outcome().orElseThrow().equals(Deferrals.ABANDONED));
    assertThat(claims.settling.store.find(List.of(message.requiredKey())).get(0))
        .isEmpty();
  }

  @Test
  void no_message_is_claimed_after_the_generation_has_moved() {
    var unused = GenerationLedger.advance(claims.settling.store, TestSettings.SCOPE, 0);
    claims.threads.advance(Duration.ofSeconds(10));

    claim();

    assertThat(messages).allMatch(it -> it.outcome().orElseThrow().equals(Deferrals.ABANDONED));
  }
}
