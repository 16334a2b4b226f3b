package io.hapax.internal;

import io.hapax.Outcome;
import io.hapax.mark.Claim;
import io.hapax.mark.Verdict;

/**
 * A message whose claim is over.
 *
 * @param verdict how the claim is settled
 * @param outcome what the message is told then
 * @param absence that of the store, as the message's own settlements have found it
 */
record Judged<M>(Item<M> item, Verdict verdict, Outcome outcome, Absence absence) {

  Judged(Item<M> item, Verdict verdict, Outcome outcome) {
    this(item, verdict, outcome, Absence.NONE);
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

  Judged<M> failed(Outage<M> outage, long sentNanos) {
    return new Judged<>(item, verdict, outcome, outage.longer(absence, sentNanos));
  }
}
