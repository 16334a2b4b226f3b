package io.hapax.internal.claim;

import io.hapax.internal.message.InFlightMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The claims of a call that have no usable answer.
 *
 * @param late the claims that reached the store too late and have a new request
 * @param unheard the claims that the store has not answered
 */
record ClaimReply<M>(Set<InFlightMessage<M>> late, Set<InFlightMessage<M>> unheard) {

  /** Returns the reply to a call that failed. */
  static <M> ClaimReply<M> failed(List<InFlightMessage<M>> items) {
    return new ClaimReply<>(Set.of(), new HashSet<>(items));
  }
}
