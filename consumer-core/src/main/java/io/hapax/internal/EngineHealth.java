package io.hapax.internal;

import io.hapax.ReceiverHealth;
import io.hapax.internal.claim.LeaseRenewer;
import io.hapax.internal.message.Submissions;
import io.hapax.internal.message.WaitingLanes;
import io.hapax.internal.report.Events;
import io.hapax.internal.store.StaleMarkCounter;
import java.util.Optional;

/** Collects the health of an engine. */
record EngineHealth(
    LeaseRenewer<?> leaseRenewer,
    Events events,
    Optional<StaleMarkCounter> staleMarks,
    Submissions<?> submissions,
    WaitingLanes waitingLanes) {

  ReceiverHealth now() {
    leaseRenewer.raiseIfLate();
    return new ReceiverHealth(
        events.storeAnswers(),
        events.problems(),
        events.sinceSettled(),
        staleMarks.flatMap(StaleMarkCounter::latest),
        submissions.oldest(),
        waitingLanes.waiting());
  }
}
