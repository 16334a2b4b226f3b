package io.hapax.internal.settle;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.store.FailureSpan;
import io.hapax.internal.store.OutageDetector;
import io.hapax.mark.Claim;
import io.hapax.mark.Verdict;

/**
 * A settlement that the store has not accepted yet.
 *
 * @param verdict how the claim is settled
 * @param outcome the outcome of the message after the settlement
 * @param failures the span of failed calls with this settlement
 */
public record PendingSettlement<M>(
    InFlightMessage<M> message, Verdict verdict, Outcome outcome, FailureSpan failures) {

  public PendingSettlement(InFlightMessage<M> message, Verdict verdict, Outcome outcome) {
    this(message, verdict, outcome, FailureSpan.NONE);
  }

  Claim claim() {
    return message.claim();
  }

  /**
   * Returns whether the answer that it is settled proves a write. It does not after a failed call,
   * which the store may have executed, nor for a release, whose mark may be lost.
   */
  boolean writes() {
    return !failures.begun() && !(verdict instanceof Verdict.Release);
  }

  /** Returns this settlement after another failed call. */
  PendingSettlement<M> failed(OutageDetector outage, long sentNanos) {
    return new PendingSettlement<>(message, verdict, outcome, outage.longer(failures, sentNanos));
  }
}
