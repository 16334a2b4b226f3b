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
 * Creates a placeholder for the claim of a message that runs while the store is bypassed. It has no
 * nonce, token 0 and attempt 0, and is never sent to a store.
 */
public final class UnclaimedRun {

  /** A lease without any time left. It is never lost. */
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
