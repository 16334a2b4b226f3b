package io.hapax.internal.message;

import io.hapax.adapter.Outcome;
import io.hapax.internal.report.Events;

/** Finishes duplicates that are in the local cache, without a call to the store. */
public final class KnownDuplicates<M> {

  private final DoneCache doneCache;
  private final Events events;
  private final Outcomes<M> outcomes;

  public KnownDuplicates(DoneCache doneCache, Events events, Outcomes<M> outcomes) {
    this.doneCache = doneCache;
    this.events = events;
    this.outcomes = outcomes;
  }

  /** Finishes the message if the cache has it as DONE; returns whether it has. */
  public boolean finish(InFlightMessage<M> message) {
    if (!message.markable || !doneCache.knows(message.requiredKey(), message.fingerprint)) {
      return false;
    }
    events.notifyListeners(it -> it.onCacheHit(message.requiredKey()));
    outcomes.finish(message, new Outcome.Duplicate());
    return true;
  }
}
