package io.hapax.internal.claim;

import io.hapax.internal.message.InFlightMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What became of claims that were sent.
 *
 * @param late those that came too late, and are asked for anew
 * @param unheard those of which the store has said nothing
 */
record ClaimReply<M>(Set<InFlightMessage<M>> late, Set<InFlightMessage<M>> unheard) {

  /** The call failed. */
  static <M> ClaimReply<M> inVain(List<InFlightMessage<M>> items) {
    return new ClaimReply<>(Set.of(), new HashSet<>(items));
  }
}
