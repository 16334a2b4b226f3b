package io.hapax.mark;

/**
 * Asks for the right to handle one message.
 *
 * @param key the message
 * @param nonce this claim's name; the same for every resend of it
 * @param fingerprint the payload's fingerprint, or {@link Fingerprint#NONE}
 * @param origin who asks, and where the message lies
 * @param terms how the claim is made
 */
public record ClaimRequest(
    MessageKey key, Nonce nonce, Fingerprint fingerprint, Origin origin, ClaimTerms terms) {}
