package io.hapax.internal.store;

import io.hapax.Delivery;
import io.hapax.mark.Attempt;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Nonce;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Stands where a claim would, for a message that runs although the store does not answer: under
 * nobody's nonce, with token and attempt 0. No store ever hears of it.
 */
public final class UnclaimedRun {

  /** There is none, so that it cannot be lost either. */
  public static final Delivery.Lease NO_LEASE = new Delivery.Lease() {
    @Override
    public Duration remaining() {
      return Duration.ZERO;
    }

    @Override
    public CompletionStage<Void> lost() {
      return new CompletableFuture<Void>().minimalCompletionStage();
    }
  };

  private static final Attempt NOT_COUNTED = new Attempt(0, false, true, false);

  private UnclaimedRun() {}

  public static Acquired of(ClaimRequest request) {
    Claim claim = new Claim(
        request.key(), Nonce.NONE, 0, NOT_COUNTED, request.fingerprint(), request.origin());
    return new Acquired(claim, Kind.FRESH, Instant.EPOCH, Optional.empty());
  }

  public static boolean is(Claim claim) {
    return claim.nonce().equals(Nonce.NONE);
  }
}
