package io.hapax.internal.run;

import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import java.time.Duration;
import java.util.List;

/**
 * Messages whose handler is called again under the same claims after a wait; in it they can be
 * given up.
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
    items().forEach(InFlightMessage::waitForEncore);
    if (first().batch.abandoned()) { // just before, when they could not be given up
      outcomes.giveUp(items(), Deferrals.ABANDONED);
    }
  }

  /**
   * Starts those that may be called now: up to the first that was given up, because order is kept;
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
