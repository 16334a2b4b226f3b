package io.hapax.internal;

import io.hapax.mark.ClaimAnswer.Acquired;

/**
 * A message whose turn has come, and the claim under which it runs.
 *
 * @param <M> the broker's message
 */
record Started<M>(Item<M> item, Acquired acquired) {}
