package io.hapax.internal;

import io.hapax.mark.Attempt;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.util.ArrayList;
import java.util.List;

/**
 * What may run in one call with a message: those right behind it in its lane, as long as none is
 * suspected of making a call fail, or too old to be judged.
 */
final class Company {

  private Company() {}

  /** Starts those that join, and returns them behind the first. */
  static <M> List<Started<M>> of(Engine<M> engine, Started<M> first, List<Item<M>> behind) {
    List<Started<M>> together = new ArrayList<>(1 + behind.size());
    together.add(first);
    if (unsuspected(first.acquired())) {
      for (Item<M> item : behind) {
        if (!(item.answer() instanceof Acquired acquired)
            || !unsuspected(acquired)
            || engine.failures().ages().refuses(item, acquired)
            || !engine.leaseSuffices(item)
            || !item.start()) {
          break;
        }
        engine.failures().ages().tell(item, acquired);
        together.add(new Started<>(item, acquired));
      }
    }
    return together;
  }

  private static boolean unsuspected(Acquired acquired) {
    Attempt attempt = acquired.claim().attempt();
    return attempt.number() == 1 && !attempt.solo() && !attempt.inDoubt();
  }
}
