package io.hapax.mark;

import java.time.Instant;

/**
 * How a claim is made.
 *
 * @param solo whether this message is claimed on suspicion that it kills its process; only such a
 *     claim may take over a lost one, and only the loss of such a claim counts as an attempt. Solo
 *     claims of several messages may share a call
 * @param external whether the handler may act outside the store's own transaction; losing such a
 *     claim leaves the mark in doubt
 * @param notAfter by the store's clock, the last moment at which the claim may still be executed; a
 *     claim that arrives later (a replayed command whose caller has given up) opens nothing
 */
public record ClaimTerms(boolean solo, boolean external, Instant notAfter) {

  /** No limit in time. */
  public static final Instant ANY_TIME = Instant.MAX;
}
