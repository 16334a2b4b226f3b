package io.hapax.internal.message;

import io.hapax.adapter.Outcome;
import io.hapax.internal.report.Events;

/** Finishes duplicates that the local cache knows, without a call to the store. */
public final class KnownDuplicates<M> {

  private final DoneCache doneCache;
  private final Events events;
  private final Outcomes<M> outcomes;

  public KnownDuplicates(DoneCache doneCache, Events events, Outcomes<M> outcomes) {
    this.doneCache = doneCache;
    this.events = events;
    this.outcomes = outcomes;
  }

  /** Finishes the message if it is known to be DONE; returns whether it was. */
  public boolean finish(InFlightMessage<M> item) {
    if (!item.markable || !doneCache.knows(item.requiredKey(), item.fingerprint)) {
      return false;
    }
    events.tell(it -> it.onCacheHit(item.requiredKey()));
    outcomes.finish(item, new Outcome.Duplicate());
    return true;
  }
}
