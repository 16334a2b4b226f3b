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
 * What may run in one call with a message: those right behind it in its lane, as long as none is
 * suspected of making a call fail, or too old to be judged.
 */
public final class HandlerBatch<M> {

  private final MessageAges<M> ages;
  private final Duration margin;

  /**
   * Joins messages.
   *
   * @param margin what must be left of a lease
   */
  public HandlerBatch(MessageAges<M> ages, Duration margin) {
    this.ages = ages;
    this.margin = margin;
  }

  /** Starts those that join, and returns them behind the first. */
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
        ages.tell(item, acquired);
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
