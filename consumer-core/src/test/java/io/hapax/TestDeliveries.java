package io.hapax;

import io.hapax.mark.Attempt;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Deliveries without an engine. */
public final class TestDeliveries {

  private TestDeliveries() {}

  public static <M> Delivery<M> of(MessageKey key, int attempt, M message) {
    Claim claim = new Claim(
        key,
        new Nonce(1, 2),
        7,
        new Attempt(attempt, true, true, false),
        Fingerprint.NONE,
        Origin.NONE);
    ClaimAnswer.Acquired acquired =
        new ClaimAnswer.Acquired(claim, ClaimAnswer.Kind.FRESH, Instant.EPOCH, Optional.empty());
    return new Delivery<>(message, acquired, new Delivery.Lease() {
      @Override
      public Duration remaining() {
        return Duration.ofSeconds(30);
      }

      @Override
      public CompletionStage<Void> lost() {
        return new CompletableFuture<>();
      }
    });
  }
}
