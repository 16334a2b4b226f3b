package io.hapax.internal.settle;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.mark.Claim;
import io.hapax.mark.Verdict;

/**
 * A settlement that the store has not accepted yet.
 *
 * @param verdict how the claim is settled
 * @param outcome the outcome of the message after the settlement
 */
public record PendingSettlement<M>(InFlightMessage<M> message, Verdict verdict, Outcome outcome) {

  Claim claim() {
    return message.claim();
  }
}
