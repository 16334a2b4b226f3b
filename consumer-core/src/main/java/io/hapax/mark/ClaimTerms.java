package io.hapax.mark;

import java.time.Instant;

/**
 * How a claim is made.
 *
 * @param solo whether the message is suspected of killing its process. Only a solo claim takes over
 *     a lost one, and only the loss of a solo claim counts as an attempt. Solo claims of several
 *     messages may share a call
 * @param external whether the handler may act outside the store's own transaction; losing such a
 *     claim leaves the mark in doubt
 * @param notAfter the last moment at which the store may execute the claim, by the store's clock. A
 *     later claim, for example a command that was resent after its caller gave up, has no effect
 */
public record ClaimTerms(boolean solo, boolean external, Instant notAfter) {

  /** No time limit. */
  public static final Instant ANY_TIME = Instant.MAX;
}
