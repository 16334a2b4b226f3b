package io.hapax.internal.message;

import io.hapax.mark.ClaimAnswer.Acquired;

/**
 * A message whose turn has come, and the claim under which it runs.
 *
 * @param <M> the broker's message
 */
public record ClaimedMessage<M>(InFlightMessage<M> item, Acquired acquired) {}
