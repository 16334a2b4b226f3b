package io.hapax.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClaimAnswersTest {

  private final TestClaims claims = new TestClaims(new TestSettings());
  private final InFlightMessage<String> message = claims.read("A").get(0);

  private Set<InFlightMessage<String>> claim(InFlightMessage<String> asking) {
    asking.ask(claims.requests.of(asking, false));
    return claims.answers.claim(List.of(asking));
  }

  @Test
  void an_acquired_message_has_its_lease_from_before_the_call() {
    assertThat(claim(message)).isEmpty();

    assertThat(message.acquired()).isPresent();
    assertThat(message.lease.remaining()).hasSeconds(30);
  }

  @Test
  void a_done_message_finishes_with_the_answer() {
    InFlightMessage<String> first = claims.settling.claim("B");
    claims.settling.settler.settle(first, Verdict.Done.WITHOUT_RESULT, new Outcome.Executed(7, 1));
    claims.threads.run();
    InFlightMessage<String> second = claims.read("B").get(0);

    var unused = claim(second);

    assertThat(second.outcome()).hasValue(new Outcome.Duplicate());
  }

  @Test
  void a_failed_call_leaves_its_messages_unanswered() {
    claims.settling.store.down = true;

    assertThat(claim(message)).containsExactly(message);
    assertThat(message.asking()).isTrue();
  }

  @Test
  void a_claim_that_was_too_late_gets_another_nonce_and_time_limit() {
    var unused = claims.clock.ask(claims.settling.store, message.requiredKey());
    ClaimRequest late = claims.requests.of(message, new ClaimTerms(false, true, Instant.EPOCH));
    message.ask(late);

    assertThat(claims.answers.claim(List.of(message))).isEmpty();

    assertThat(message.requiredRequest().nonce()).isNotEqualTo(late.nonce());
    assertThat(message.requiredRequest().terms().notAfter()).isAfter(Instant.EPOCH);
  }

  @Test
  void a_claim_of_a_message_that_was_given_up_meanwhile_is_given_back() {
    message.ask(claims.requests.of(message, false));
    claims.settling.messages.outcomes.giveUp(List.of(message), Deferrals.ABANDONED);

    var unused = claims.answers.claim(List.of(message));

    assertThat(claims.settling.messages.released).hasSize(1);
    assertThat(message.outcome()).hasValue(Deferrals.ABANDONED);
  }
}
