package io.hapax.policy;

/**
 * A message whose id is known with another payload.
 *
 * @param message the broker's message
 * @param messageId the id that both have, for people
 * @param coordinates where this one came from
 * @param detail what stands under the id, for people
 * @param <M> the broker's message
 */
public record ConflictingMessage<M>(
    M message, String messageId, String coordinates, String detail) {}
