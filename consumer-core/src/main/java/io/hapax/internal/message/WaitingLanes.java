package io.hapax.internal.message;

import io.hapax.ReceiverHealth;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the messages whose lanes wait until they are due, for health checks. */
public final class WaitingLanes {

  /** Bounds the memory where each message has a lane of its own. */
  private static final int MAX_KEPT = 100;

  private static final Set<Reason> HOLDING = EnumSet.of(Reason.RETRY, Reason.DEFERRED, Reason.BUSY);

  private record Wait(String coordinates, Reason reason, long dueNanos) {}

  private final Map<MessageKey, Wait> waits = new ConcurrentHashMap<>();
  private final Ticker ticker;

  public WaitingLanes(Ticker ticker) {
    this.ticker = ticker;
  }

  void ended(InFlightMessage<?> message, Outcome outcome) {
    if (!message.markable) {
      return;
    }
    if (outcome instanceof Deferred deferred && stopsLane(message, deferred.reason())) {
      remember(message, deferred);
    } else if (!waits.isEmpty()) {
      waits.remove(message.requiredKey());
    }
  }

  private static boolean stopsLane(InFlightMessage<?> message, Reason reason) {
    return message.incoming.inOrder() && HOLDING.contains(reason);
  }

  private void remember(InFlightMessage<?> message, Deferred deferred) {
    long now = ticker.nanos();
    if (waits.size() >= MAX_KEPT) {
      waits.values().removeIf(wait -> wait.dueNanos() - now <= 0);
    }
    if (waits.size() < MAX_KEPT || waits.containsKey(message.requiredKey())) {
      waits.put(
          message.requiredKey(),
          new Wait(message.incoming.coordinates(), deferred.reason(), deferred.dueNanos(now)));
    }
  }

  /** Returns the messages that are not due yet, the latest first. */
  public List<ReceiverHealth.WaitingMessage> waiting() {
    long now = ticker.nanos();
    return waits.entrySet().stream()
        .filter(it -> it.getValue().dueNanos() - now > 0)
        .map(it -> message(it.getKey(), it.getValue(), now))
        .sorted(Comparator.comparing(ReceiverHealth.WaitingMessage::dueIn).reversed())
        .toList();
  }

  private static ReceiverHealth.WaitingMessage message(MessageKey key, Wait wait, long now) {
    return new ReceiverHealth.WaitingMessage(
        key, wait.coordinates(), wait.reason(), Duration.ofNanos(wait.dueNanos() - now));
  }
}
