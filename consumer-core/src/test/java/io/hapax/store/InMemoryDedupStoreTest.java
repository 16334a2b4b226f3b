package io.hapax.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Busy;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class InMemoryDedupStoreTest {

  private static final ClaimRequest REQUEST = request(new Nonce(1, 1));
  private static final ClaimRequest ANOTHER = request(new Nonce(2, 2));

  private static ClaimRequest request(Nonce nonce) {
    return new ClaimRequest(
        MessageKey.of("orders", "42"),
        nonce,
        Fingerprint.NONE,
        Origin.NONE,
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
  }

  @Test
  void the_default_uses_the_system_clock_and_keeps_marks_for_eight_days() {
    Duration lease = Duration.ofHours(1);
    try (InMemoryDedupStore store = new InMemoryDedupStore()) {
      Instant before = Instant.now();

      assertThat(store.claim(List.of(REQUEST), lease)).hasOnlyElementsOfType(Acquired.class);

      assertThat(store.claim(List.of(ANOTHER), lease)).hasOnlyElementsOfType(Busy.class);
      assertThat(store.find(List.of(REQUEST.key())).get(0).orElseThrow().until())
          .isBetween(before.plus(lease).minusSeconds(1), Instant.now().plus(lease));
      assertThat(store.retention()).isEqualTo(Duration.ofDays(8));
    }
  }
}
