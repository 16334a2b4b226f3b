package io.hapax.policy;

/**
 * A message whose id is known with another payload.
 *
 * @param message the broker's message
 * @param messageId the id of both messages, for people
 * @param coordinates where this message came from
 * @param detail what the mark under the id says, for people
 * @param <M> the broker's message
 */
public record ConflictingMessage<M>(
    M message, String messageId, String coordinates, String detail) {}
