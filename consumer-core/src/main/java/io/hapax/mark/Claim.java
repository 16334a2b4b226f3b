package io.hapax.mark;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * An acquired claim, with which its owner renews and settles and a store writes a lost mark anew.
 *
 * @param key the message
 * @param nonce the claim's name
 * @param token the fencing token: of two claims of a message the later one has the greater token,
 *     unless the store lost the mark in between and its clock went back too
 * @param attempt the attempt that the claim is for
 * @param fingerprint the payload's fingerprint, or {@link Fingerprint#NONE}
 * @param origin the owner, and where the message lies
 */
public record Claim(
    MessageKey key,
    Nonce nonce,
    long token,
    Attempt attempt,
    Fingerprint fingerprint,
    Origin origin) {

  /**
   * {@return whether two claims are the same: they have the same nonce and token}
   *
   * @param other the other claim
   */
  public boolean sameAs(Claim other) {
    return token == other.token && nonce.equals(other.nonce);
  }

  /**
   * {@return for how long the handler has deferred the message: from the claim that it deferred
   * first to this one, by the store's clock; zero if none was deferred before}
   */
  public Duration deferredFor() {
    long since = attempt.deferredSince();
    return since == 0 ? Duration.ZERO : Duration.of(token - since, ChronoUnit.MICROS);
  }

  Claim with(Attempt newAttempt) {
    return new Claim(key, nonce, token, newAttempt, fingerprint, origin);
  }
}
