package io.hapax.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.LeaseSettings;
import io.hapax.adapter.Incoming;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.store.StoreClock;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Origin;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimRequestsTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final TestMessages messages = new TestMessages();
  private final StoreClock clock = new StoreClock(messages.threads);
  private final ClaimRequests requests =
      new ClaimRequests("here", true, LeaseSettings.DEFAULT, clock);
  private final InFlightMessage<String> message = messages.message("A");

  @Test
  void a_claim_is_useless_once_less_of_its_lease_than_the_margin_would_remain() {
    clock.learn(NOON, messages.threads.nanos());

    assertThat(requests.of(message, false).terms().notAfter()).isEqualTo(NOON.plusSeconds(25));
  }

  @Test
  void a_claim_inside_a_transaction_has_no_time_limit() {
    clock.learn(NOON, messages.threads.nanos());

    assertThat(requests.inTransaction(message).terms().notAfter()).isEqualTo(ClaimTerms.ANY_TIME);
  }

  @Test
  void each_request_has_its_own_nonce() {
    ClaimRequest first = requests.of(message, false);

    assertThat(requests.of(message, false).nonce()).isNotEqualTo(first.nonce());
  }

  @Test
  void coordinates_that_are_too_long_for_a_mark_are_shortened() {
    InFlightMessage<String> far = InFlightMessage.unmarked(
        message.batch,
        0,
        new Incoming<>("A", "p0", "x".repeat(Origin.MAX_LENGTH + 1), false),
        Optional.of(MessageKey.of("orders", "A")));

    assertThat(requests.of(far, false).origin().coordinates()).hasSize(Origin.MAX_LENGTH);
  }
}
