package io.hapax.internal.run;

import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import java.time.Duration;
import java.util.List;

/**
 * The messages of a call that is retried under the same claims after a wait. They can be given up
 * during the wait.
 */
final class PendingRetry<M> {

  private final Outcomes<M> outcomes;
  private final Duration margin;
  private final List<ClaimedMessage<M>> messages;

  PendingRetry(Outcomes<M> outcomes, Duration margin, List<ClaimedMessage<M>> messages) {
    this.outcomes = outcomes;
    this.margin = margin;
    this.messages = List.copyOf(messages);
  }

  private List<InFlightMessage<M>> items() {
    return messages.stream().map(ClaimedMessage::item).toList();
  }

  InFlightMessage<M> first() {
    return messages.get(0).item();
  }

  void letWait() {
    items().forEach(InFlightMessage::waitForRetry);
    if (first().batch.abandoned()) { // while they were started and could not be given up
      outcomes.giveUp(items(), Deferrals.ABANDONED);
    }
  }

  /**
   * Starts the messages before the first one that was given up, because their order is kept. Starts
   * none if the lease of any is too short.
   */
  List<ClaimedMessage<M>> start() {
    List<InFlightMessage<M>> items = items();
    if (!items.stream().allMatch(item -> item.lease.lasts(margin))) {
      outcomes.giveUp(items, Deferrals.TOO_SHORT);
      return List.of();
    }
    int started = 0;
    while (started < items.size() && items.get(started).start()) {
      started++;
    }
    outcomes.giveUp(items.subList(started, items.size()), Deferrals.ABANDONED);
    return messages.subList(0, started);
  }
}
