package io.hapax.internal.message;

import io.hapax.mark.ClaimAnswer.Acquired;

/** A message that runs, and its claim. */
public record ClaimedMessage<M>(InFlightMessage<M> message, Acquired acquired) {}
