package io.hapax.rocketmq;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.InFlightWindows;
import io.hapax.adapter.OffsetTracker;
import io.hapax.adapter.PollingLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the consumer, on the only thread that polls it. The thread waits for neither store nor
 * handler, except for running handlers when it ends; that wait has a limit.
 *
 * <p>The client gives queues back without asking. The loop notices it afterwards, and neither waits
 * nor commits for such a queue. The next owner finds the marks of the messages that ran.
 */
final class PullLoop extends PollingLoop {

  /**
   * Holds the limits of the loop.
   *
   * @param window the most messages of a queue that are submitted at once
   * @param ahead the most messages of a queue that are in flight when further ones are submitted; 0
   *     in transactional mode, where they would only wait for the end of a transaction
   * @param drainTimeout how long running handlers are waited for when the loop ends
   * @param silence how long no outcome may arrive until that is a problem
   */
  record Bounds(int window, int ahead, Duration drainTimeout, Duration silence) {}

  private static final Logger LOG = LoggerFactory.getLogger(PullLoop.class);
  private static final long PERSIST_NANOS = Duration.ofMillis(500).toNanos();
  private static final int WINDOWS_AHEAD = 4;

  /** The client takes about as long to notice that a queue was paused. */
  private static final Duration SLOW = Duration.ofSeconds(1);

  private final DefaultLitePullConsumer consumer;
  private final ClientInternals internals;
  private final InFlightWindows<MessageExt> windows;
  private final Bounds bounds;
  private final Map<MessageQueue, OffsetTracker<MessageExt>> trackers = new LinkedHashMap<>();

  private Map<MessageQueue, Long> persisted = Map.of();
  private long persistedNanos = System.nanoTime();
  private long patienceMillis = 1;

  PullLoop(
      DefaultLitePullConsumer consumer,
      ClientInternals internals,
      InFlightWindows<MessageExt> windows,
      Bounds bounds,
      IdempotentReceiver<?> receiver) {
    super(
        "group " + consumer.getConsumerGroup(),
        bounds.drainTimeout(),
        receiver.port().clock(),
        receiver.port()::requireRunning,
        System::nanoTime);
    this.consumer = consumer;
    this.internals = internals;
    this.windows = windows;
    this.bounds = bounds;
  }

  @Override
  protected void round() throws MQClientException {
    boolean moved = windows.applyOutcomes() > 0;
    dropLost(consumer.assignment());
    long now = System.nanoTime();
    List<OffsetTracker<MessageExt>> ready = trackers.values().stream()
        .filter(tracker -> tracker.ready(now, bounds.ahead()))
        .toList();
    if (!ready.isEmpty()) {
      windows.submit(ready, bounds.window());
      moved = true;
    }
    pauseAndResume(now);
    commit(now - persistedNanos > PERSIST_NANOS);
    problems.replaceAll(trackers.values().stream()
        .map(tracker -> tracker.problem(now, bounds.silence()))
        .flatMap(Optional::stream)
        .toList());
    poll(moved, now);
  }

  private void dropLost(Set<MessageQueue> assigned) {
    List<MessageQueue> lost =
        trackers.keySet().stream().filter(queue -> !assigned.contains(queue)).toList();
    for (MessageQueue queue : lost) {
      LOG.info("Queue {} belongs to another", queue);
      end(queue);
    }
  }

  /** Ends an assignment: what has not started is released at once, for the next owner. */
  private void end(MessageQueue queue) {
    OffsetTracker<MessageExt> tracker = trackers.remove(queue);
    if (tracker != null) {
      windows.abandon(List.of(tracker));
      windows.forget(List.of(tracker));
    }
  }

  private void pauseAndResume(long now) {
    List<MessageQueue> pause = new ArrayList<>();
    List<MessageQueue> resume = new ArrayList<>();
    trackers.forEach((queue, tracker) -> {
      boolean full = stands(tracker, now) && tracker.buffered() >= bounds.window();
      (full ? pause : resume).add(queue);
    });
    consumer.pause(pause);
    consumer.resume(resume);
  }

  private void poll(boolean moved, long now) {
    boolean underway = trackers.values().stream().anyMatch(OffsetTracker::underway);
    long longest = (underway ? BUSY : IDLE).toMillis();
    patienceMillis = moved ? 1 : Math.min(patienceMillis * 2, longest);
    int room = bounds.window() * WINDOWS_AHEAD - ahead(now);
    if (room <= 0) {
      windows.awaitOutcome(Duration.ofMillis(patienceMillis));
      return;
    }
    List<MessageExt> messages = consumer.poll(patienceMillis);
    while (!messages.isEmpty()) {
      polled(messages);
      room -= messages.size();
      messages = room > 0 ? consumer.poll(0) : List.of();
    }
  }

  /** Whether a queue holds nothing back but itself: the others are polled on. */
  private static boolean stands(OffsetTracker<MessageExt> tracker, long now) {
    return tracker.waiting(now) || tracker.silent(now, SLOW);
  }

  /** What waits for nothing but its turn. */
  private int ahead(long now) {
    return trackers.values().stream()
        .filter(tracker -> !stands(tracker, now))
        .mapToInt(OffsetTracker::buffered)
        .sum();
  }

  private void polled(List<MessageExt> messages) {
    MessageExt first = messages.get(0);
    MessageQueue queue = new MessageQueue(
        internals.wireName(first.getTopic()), first.getBrokerName(), first.getQueueId());
    if (!isAhead(queue, first.getQueueOffset())) {
      LOG.info("Queue {} begins again at {}", queue, first.getQueueOffset());
      end(queue);
    }
    OffsetTracker<MessageExt> tracker =
        trackers.computeIfAbsent(queue, it -> new OffsetTracker<>(Coordinates.queueName(it)));
    messages.forEach(
        message -> tracker.polled(MessageCopies.of(message), message.getQueueOffset()));
  }

  /** If not, the queue came back or was set back, and another epoch has begun. */
  private boolean isAhead(MessageQueue queue, long offset) {
    OffsetTracker<MessageExt> tracker = trackers.get(queue);
    return tracker == null || offset >= tracker.next().orElse(0);
  }

  /**
   * Reports the committed offset of each queue to the client. It reports all queues each time,
   * because the client forgets the queues that are not named when it writes. The client ignores a
   * queue that it has lost.
   *
   * <p>The client sends offsets to the brokers one way and does not report a failure. A broker that
   * is killed forgets the last offsets that it received. But the client sends all offsets that it
   * knows again by itself, every {@code persistConsumerOffsetInterval}.
   */
  private void commit(boolean persist) {
    Map<MessageQueue, Long> offsets = new HashMap<>();
    trackers.forEach((queue, tracker) ->
        tracker.lowestUnfinished().ifPresent(offset -> offsets.put(queue, offset)));
    if (offsets.isEmpty() || offsets.equals(persisted)) {
      return;
    }
    consumer.commit(offsets, persist);
    if (persist) {
      persisted = offsets;
      persistedNanos = System.nanoTime();
    }
  }

  @Override
  protected void giveBack() throws MQClientException {
    List<OffsetTracker<MessageExt>> all = List.copyOf(trackers.values());
    windows.abandon(all);
    if (!windows.drain(all, untilDrained())) {
      LOG.warn(
          "Handlers of {} still run after {}: their messages are redelivered, as duplicates if the"
              + " handlers finish",
          source,
          bounds.drainTimeout());
    }
    dropLost(consumer.assignment());
    commit(true);
  }

  @Override
  protected void close() {
    windows.close();
    consumer.shutdown();
  }
}
