package io.hapax.internal.run;

import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.settle.MessageAges;
import io.hapax.mark.Attempt;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Selects the messages that run in one call: those directly behind the first in its lane. A message
 * that may make the call fail, or is older than the dedup window, ends the selection.
 */
public record HandlerBatch<M>(MessageAges<M> ages, Duration margin) {

  /** Starts the selected messages; returns the first and the selected ones. */
  List<ClaimedMessage<M>> of(ClaimedMessage<M> first, List<InFlightMessage<M>> behind) {
    List<ClaimedMessage<M>> together = new ArrayList<>(1 + behind.size());
    together.add(first);
    if (unsuspected(first.acquired())) {
      for (InFlightMessage<M> message : behind) {
        if (!(message.answer() instanceof Acquired acquired)
            || !unsuspected(acquired)
            || ages.refuses(message, acquired)
            || !message.lease.lasts(margin)
            || !message.start()) {
          break;
        }
        ages.report(message, acquired);
        together.add(new ClaimedMessage<>(message, acquired));
      }
    }
    return together;
  }

  private static boolean unsuspected(Acquired acquired) {
    Attempt attempt = acquired.claim().attempt();
    return attempt.number() == 1
        && !attempt.solo()
        && !attempt.inDoubt()
        && attempt.deferredSince() == 0;
  }
}
