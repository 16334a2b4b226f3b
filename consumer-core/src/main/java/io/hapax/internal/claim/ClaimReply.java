package io.hapax.internal.claim;

import io.hapax.internal.message.InFlightMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which of the claims that were sent have no usable answer.
 *
 * @param late those that came too late, and are asked for anew
 * @param unheard those that the store has not answered
 */
record ClaimReply<M>(Set<InFlightMessage<M>> late, Set<InFlightMessage<M>> unheard) {

  /** Returns the reply to a call that failed. */
  static <M> ClaimReply<M> failed(List<InFlightMessage<M>> items) {
    return new ClaimReply<>(Set.of(), new HashSet<>(items));
  }
}
