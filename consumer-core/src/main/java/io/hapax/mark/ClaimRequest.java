package io.hapax.mark;

/**
 * Requests the right to handle one message.
 *
 * @param key the message
 * @param nonce the claim's name; the same for every resend of it
 * @param fingerprint the payload's fingerprint, or {@link Fingerprint#NONE}
 * @param origin the owner, and where the message lies
 * @param terms how the claim is made
 */
public record ClaimRequest(
    MessageKey key, Nonce nonce, Fingerprint fingerprint, Origin origin, ClaimTerms terms) {}
