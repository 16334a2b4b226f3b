package io.hapax.internal.settle;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.store.FailureSpan;
import io.hapax.internal.store.OutageDetector;
import io.hapax.mark.Claim;
import io.hapax.mark.Verdict;

/**
 * A message whose claim is over.
 *
 * @param verdict how the claim is settled
 * @param outcome what the message is told then
 * @param absence that of the store, as the message's own settlements have found it
 */
public record PendingSettlement<M>(
    InFlightMessage<M> item, Verdict verdict, Outcome outcome, FailureSpan absence) {

  public PendingSettlement(InFlightMessage<M> item, Verdict verdict, Outcome outcome) {
    this(item, verdict, outcome, FailureSpan.NONE);
  }

  Claim claim() {
    return item.claim();
  }

  /**
   * Whether a store that settles it has written: it need not if it had executed it before, or has
   * lost the mark of what is released.
   */
  boolean writes() {
    return !absence.begun() && !(verdict instanceof Verdict.Release);
  }

  PendingSettlement<M> failed(OutageDetector outage, long sentNanos) {
    return new PendingSettlement<>(item, verdict, outcome, outage.longer(absence, sentNanos));
  }
}
