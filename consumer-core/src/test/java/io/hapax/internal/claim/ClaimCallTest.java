package io.hapax.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.store.TestStore;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimCallTest {

  private final TestClaims claims = new TestClaims(new TestSettings());
  private final TestStore store = claims.settling.store;
  private final InFlightMessage<String> message = claims.read("A").get(0);

  private Instant limit() {
    return message.requiredRequest().terms().notAfter();
  }

  @Test
  void the_first_claim_has_a_time_limit_because_the_time_is_read_before_it() {
    message.ask(claims.requests.of(message, false));

    var unused = claims.call.send(List.of(message));

    assertThat(store.calls).containsExactly("claim 1", "claim 1");
    assertThat(limit()).isEqualTo(TestStore.START.plusSeconds(25));
  }

  @Test
  void a_new_lease_corrects_the_clock() {
    claims.clock.learn(TestStore.START.minusSeconds(10), claims.threads.nanos());
    message.ask(claims.requests.of(message, false));

    var unused = claims.call.send(List.of(message));

    assertThat(claims.clock.in(Duration.ZERO)).isEqualTo(TestStore.START);
  }

  @Test
  void a_claim_that_came_too_late_is_made_anew_by_the_stores_time() {
    claims.clock.learn(TestStore.START, claims.threads.nanos());
    ClaimRequest late = claims.requests.of(message, true);
    message.ask(late);
    Instant now = TestStore.START.plusSeconds(60);

    claims.call.askAnew(message, new ClaimAnswer.TooLate(now), claims.threads.nanos());

    assertThat(message.requiredRequest().nonce()).isNotEqualTo(late.nonce());
    assertThat(message.requiredRequest().terms().solo()).isTrue();
    assertThat(limit()).isEqualTo(now.plusSeconds(25));
  }

  @Test
  void a_claim_of_one_message_is_repeated_if_it_came_too_late() {
    claims.clock.learn(TestStore.START.minusSeconds(60), claims.threads.nanos());

    assertThat(claims.call.claimNow(message)).isInstanceOf(ClaimAnswer.Acquired.class);

    assertThat(store.calls).hasSize(2);
  }
}
