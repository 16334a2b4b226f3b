package io.hapax.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that touches the consumer. It waits for neither store nor handler, except, within
 * a bound, for running handlers of partitions that it has to give back.
 *
 * <p>Which partitions are paused follows on every round from the bookkeeping, because a rebalance
 * forgets pauses.
 */
final class PollLoop<K, V> implements Runnable, ConsumerRebalanceListener {

  private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);
  private static final long IDLE_MILLIS = 100;
  private static final long BUSY_MILLIS = 20;
  private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(10);

  private final Consumer<K, V> consumer;
  private final Collection<String> topics;
  private final Flights<K, V> flights;
  private final int window;
  private final Duration drainTimeout;
  private final Commits<K, V> commits;
  private final Map<TopicPartition, PartitionTracker<K, V>> trackers = new LinkedHashMap<>();

  private long patienceMillis = 1;
  private @Nullable RuntimeException brokenCallback;

  private volatile boolean closing;
  private volatile KafkaReceiver.State state = KafkaReceiver.State.RUNNING;
  private volatile @Nullable Throwable failure;
  private volatile List<String> trouble = List.of();

  PollLoop(
      Consumer<K, V> consumer,
      Collection<String> topics,
      Flights<K, V> flights,
      int window,
      Duration drainTimeout) {
    this.consumer = consumer;
    this.topics = List.copyOf(topics);
    this.flights = flights;
    this.window = window;
    this.drainTimeout = drainTimeout;
    this.commits = new Commits<>(consumer, COMMIT_TIMEOUT);
  }

  @Override
  public void run() {
    KafkaReceiver.State end = KafkaReceiver.State.DOWN;
    try {
      consumer.subscribe(topics, this);
      while (!closing) {
        round();
      }
      end = KafkaReceiver.State.CLOSED;
    } catch (RuntimeException | Error e) {
      failure = e;
      LOG.error("The poll loop for {} died; others take over its partitions", topics, e);
    } finally {
      leave();
      trouble = List.of();
      state = end;
    }
  }

  private void round() {
    boolean moved = flights.book() > 0;
    long now = System.nanoTime();
    List<PartitionTracker<K, V>> ready =
        trackers.values().stream().filter(tracker -> tracker.ready(now)).toList();
    if (!ready.isEmpty()) {
      flights.submit(ready, window);
      moved = true;
    }
    pauseAndResume(now);
    commits.send(trackers.values(), now);
    trouble = trackers.values().stream()
        .map(PartitionTracker::trouble)
        .flatMap(Optional::stream)
        .toList();
    poll(moved);
    if (brokenCallback != null) {
      throw brokenCallback;
    }
  }

  private void poll(boolean moved) {
    boolean underway = trackers.values().stream().anyMatch(PartitionTracker::underway);
    patienceMillis = moved ? 1 : Math.min(patienceMillis * 2, underway ? BUSY_MILLIS : IDLE_MILLIS);
    try {
      ConsumerRecords<K, V> records = consumer.poll(Duration.ofMillis(patienceMillis));
      Map<TopicPartition, OffsetAndMetadata> positions = records.nextOffsets();
      Set<TopicPartition> touched = new HashSet<>(positions.keySet());
      touched.addAll(records.partitions());
      for (TopicPartition partition : touched) {
        trackers
            .computeIfAbsent(partition, PartitionTracker::new)
            .polled(records.records(partition), Optional.ofNullable(positions.get(partition)));
      }
    } catch (RecordDeserializationException e) {
      LOG.error("{} is stuck: offset {} cannot be deserialized", e.topicPartition(), e.offset(), e);
      trackers
          .computeIfAbsent(e.topicPartition(), PartitionTracker::new)
          .stuck("offset " + e.offset() + " cannot be deserialized: read byte[] and parse in the"
              + " handler, so that such a record can be dead-lettered");
    } catch (WakeupException e) {
      LOG.debug("Woken up", e);
    } catch (RetriableException e) {
      LOG.warn("A poll of {} failed and is tried again", topics, e);
    }
  }

  private void pauseAndResume(long now) {
    Set<TopicPartition> wanted = new HashSet<>();
    for (PartitionTracker<K, V> tracker : trackers.values()) {
      if (tracker.full(window, now)) {
        wanted.add(tracker.partition());
      }
    }
    Set<TopicPartition> paused = consumer.paused();
    Set<TopicPartition> pause = new HashSet<>(wanted);
    pause.removeAll(paused);
    Set<TopicPartition> resume = new HashSet<>(paused);
    resume.removeAll(wanted);
    consumer.pause(pause);
    consumer.resume(resume);
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    LOG.info("Assigned {}", partitions);
    partitions.forEach(partition -> trackers.put(partition, new PartitionTracker<>(partition)));
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    LOG.info("Revoked {}", partitions);
    guarded(() -> giveBack(take(partitions)));
  }

  /** Others may own these partitions already: nothing is committed, nothing is waited for. */
  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    LOG.warn("Lost {}; what is not committed will be delivered again", partitions);
    guarded(() -> flights.abandon(take(partitions)));
  }

  /**
   * The consumer takes a callback that threw for a successful one, so the loop itself has to end.
   */
  private void guarded(Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException e) {
      brokenCallback = e;
    }
  }

  private List<PartitionTracker<K, V>> take(Collection<TopicPartition> partitions) {
    return partitions.stream()
        .map(trackers::remove)
        .flatMap(tracker -> Optional.ofNullable(tracker).stream())
        .toList();
  }

  private void giveBack(List<PartitionTracker<K, V>> given) {
    flights.abandon(given);
    if (!flights.drain(given, drainTimeout)) {
      LOG.warn(
          "Handlers outlive the drain time-out of {}; their messages are not committed here",
          drainTimeout);
    }
    commits.last(given);
  }

  private void leave() {
    try {
      giveBack(take(List.copyOf(trackers.keySet())));
    } catch (RuntimeException e) {
      LOG.error("Cannot give back the partitions of {}", topics, e);
    } finally {
      close();
    }
  }

  private void close() {
    try {
      consumer.close(CloseOptions.timeout(COMMIT_TIMEOUT));
    } catch (KafkaException e) {
      LOG.error("The consumer of {} did not close well", topics, e);
    }
  }

  void stop() {
    closing = true;
  }

  KafkaReceiver.State state() {
    return state;
  }

  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  List<String> trouble() {
    return trouble;
  }
}
