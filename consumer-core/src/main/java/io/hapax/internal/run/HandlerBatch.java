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
      for (InFlightMessage<M> item : behind) {
        if (!(item.answer() instanceof Acquired acquired)
            || !unsuspected(acquired)
            || ages.refuses(item, acquired)
            || !item.lease.lasts(margin)
            || !item.start()) {
          break;
        }
        ages.report(item, acquired);
        together.add(new ClaimedMessage<>(item, acquired));
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
