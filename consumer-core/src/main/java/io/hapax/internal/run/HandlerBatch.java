package io.hapax.internal.run;

import io.hapax.internal.Engine;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.mark.Attempt;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.util.ArrayList;
import java.util.List;

/**
 * What may run in one call with a message: those right behind it in its lane, as long as none is
 * suspected of making a call fail, or too old to be judged.
 */
final class HandlerBatch {

  private HandlerBatch() {}

  /** Starts those that join, and returns them behind the first. */
  static <M> List<ClaimedMessage<M>> of(
      Engine<M> engine, ClaimedMessage<M> first, List<InFlightMessage<M>> behind) {
    List<ClaimedMessage<M>> together = new ArrayList<>(1 + behind.size());
    together.add(first);
    if (unsuspected(first.acquired())) {
      for (InFlightMessage<M> item : behind) {
        if (!(item.answer() instanceof Acquired acquired)
            || !unsuspected(acquired)
            || engine.failures().ages().refuses(item, acquired)
            || !engine.leaseSuffices(item)
            || !item.start()) {
          break;
        }
        engine.failures().ages().tell(item, acquired);
        together.add(new ClaimedMessage<>(item, acquired));
      }
    }
    return together;
  }

  private static boolean unsuspected(Acquired acquired) {
    Attempt attempt = acquired.claim().attempt();
    return attempt.number() == 1 && !attempt.solo() && !attempt.inDoubt();
  }
}
