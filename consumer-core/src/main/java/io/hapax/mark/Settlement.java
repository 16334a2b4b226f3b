package io.hapax.mark;

/**
 * Ends a claim.
 *
 * @param claim the claim
 * @param verdict how it ends
 */
public record Settlement(Claim claim, Verdict verdict) {}
