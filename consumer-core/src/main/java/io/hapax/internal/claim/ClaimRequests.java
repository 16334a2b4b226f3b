package io.hapax.internal.claim;

import io.hapax.LeaseSettings;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.Nonces;
import io.hapax.internal.store.StoreClock;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Origin;
import java.time.Instant;

/** Creates claim requests, each with its own nonce and a time limit by the store's clock. */
public final class ClaimRequests {

  private final String owner;
  private final boolean external;
  private final LeaseSettings lease;
  private final StoreClock clock;
  private final Nonces nonces = new Nonces();

  /** Claims are external if effects outside of the store's transaction may follow. */
  public ClaimRequests(String owner, boolean external, LeaseSettings lease, StoreClock clock) {
    this.owner = owner;
    this.external = external;
    this.lease = lease;
    this.clock = clock;
  }

  ClaimTerms terms(boolean solo) {
    return new ClaimTerms(solo, external, notAfter());
  }

  /**
   * Returns the latest execution time of a useful claim. After it, too little of the lease would
   * remain, because the lease begins when the request is sent.
   */
  private Instant notAfter() {
    return clock.in(lease.lease().minus(lease.margin()));
  }

  ClaimRequest of(InFlightMessage<?> message, boolean solo) {
    return of(message, terms(solo));
  }

  /** Returns a new request with given terms, which messages of one call share. */
  ClaimRequest of(InFlightMessage<?> message, ClaimTerms terms) {
    return new ClaimRequest(
        message.requiredKey(),
        nonces.next(),
        message.fingerprint,
        new Origin(owner, shortened(message.incoming.coordinates())),
        terms);
  }

  private static String shortened(String coordinates) {
    return coordinates.length() > Origin.MAX_LENGTH
        ? coordinates.substring(0, Origin.MAX_LENGTH)
        : coordinates;
  }

  /**
   * Returns the request for a claim inside a transaction. It has no time limit: if the caller gives
   * up, the transaction does not commit.
   */
  public ClaimRequest inTransaction(InFlightMessage<?> message) {
    return of(message, new ClaimTerms(false, external, ClaimTerms.ANY_TIME));
  }
}
