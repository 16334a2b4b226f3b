package io.hapax.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.InFlightWindows;
import io.hapax.adapter.OffsetTracker;
import io.hapax.health.PartitionStatus;
import io.hapax.kafka.internal.OwnedPartitions;
import io.hapax.kafka.internal.PolledPositions;
import io.hapax.kafka.internal.RecordHandouts;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only thread that touches the consumer. It waits for neither store nor handler, except, with a
 * limit, for handlers of partitions that it gives back. A rebalance forgets pauses, so each round
 * derives them.
 */
final class PollLoop<K, V> extends KafkaLoop implements ConsumerRebalanceListener {

  /**
   * Says how records are read.
   *
   * @param order which records of a partition run one after the other
   * @param window the most records of a partition that are submitted at once
   * @param ahead the most records of a partition that are in flight, or finished behind one in
   *     flight, when further ones are submitted
   * @param most how many records of a partition are kept before no more are fetched
   * @param drainTimeout how long running handlers are waited for when partitions are given back
   * @param brokerTimeout how long the broker is waited for when the loop gives partitions back or
   *     ends
   * @param silence how long no outcome may arrive until that is a problem
   */
  record Bounds(
      ProcessingOrder order,
      int window,
      int ahead,
      int most,
      Duration drainTimeout,
      Duration brokerTimeout,
      Duration silence) {}

  private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);

  private static final Duration SNAPSHOTS = Duration.ofMillis(250);

  private final Consumer<K, V> consumer;
  private final Subscription subscription;
  private final RecordHandouts<K, V> handouts;
  private final InFlightWindows<ConsumerRecord<K, V>> windows;
  private final Bounds bounds;
  private final Commits<K, V> commits;
  private final Map<TopicPartition, AssignedPartition<K, V>> assigned = new LinkedHashMap<>();

  private @Nullable RuntimeException brokenCallback;

  /** For those who read meters: only the poll thread may ask the client for its lag. */
  private volatile List<PartitionStatus> snapshot = List.of();

  private long snapshotDueNanos = System.nanoTime();

  PollLoop(
      Consumer<K, V> consumer,
      Subscription subscription,
      RecordHandouts<K, V> handouts,
      InFlightWindows<ConsumerRecord<K, V>> windows,
      Bounds bounds,
      IdempotentReceiver<?> receiver) {
    super(subscription, bounds.drainTimeout(), receiver);
    this.consumer = consumer;
    this.subscription = subscription;
    this.handouts = handouts;
    this.windows = windows;
    this.bounds = bounds;
    this.commits = new Commits<>(consumer);
  }

  @Override
  protected void begin() {
    subscription.begin(consumer, this);
  }

  @Override
  protected void round() {
    if (windows.applyOutcomes() > 0 && handouts.mayBeSpent()) {
      readSpentAgain();
    }
    long now = System.nanoTime();
    List<OffsetTracker<ConsumerRecord<K, V>>> ready = assigned.values().stream()
        .map(AssignedPartition::offsets)
        .filter(it -> it.ready(now, bounds.ahead()))
        .toList();
    if (!ready.isEmpty()) {
      windows.submit(ready, bounds.window());
    }
    pauseAndResume(now);
    commits.send(assigned.values(), now);
    found(Stream.concat(
            assigned.values().stream().map(it -> it.problem(now, bounds.silence())),
            Stream.of(commits.problem()))
        .flatMap(Optional::stream));
    takeSnapshotIfDue(now);
    poll();
    if (brokenCallback != null) {
      throw brokenCallback;
    }
  }

  /** What a handler has changed is read from the broker for its next call. */
  private void readSpentAgain() {
    for (AssignedPartition<K, V> each : assigned.values()) {
      each.readSpentAgain()
          .ifPresent(offset ->
              OwnedPartitions.of(each.partition(), () -> consumer.seek(each.partition(), offset)));
    }
  }

  private void takeSnapshotIfDue(long now) {
    if (now - snapshotDueNanos >= 0) {
      snapshotDueNanos = now + SNAPSHOTS.toNanos();
      snapshot = assigned.values().stream()
          .map(it -> it.status(bounds.window(), bounds.most(), now, lag(it.partition())))
          .toList();
    }
  }

  private OptionalLong lag(TopicPartition partition) {
    return consumer.assignment().contains(partition)
        ? consumer.currentLag(partition)
        : OptionalLong.empty();
  }

  private void poll() {
    boolean underway = assigned.values().stream().anyMatch(it -> it.offsets().underway());
    Duration longest = underway ? BUSY : IDLE;
    try {
      boolean wait = windows.beginWait(consumer::wakeup);
      var unused = polled(() -> {
        ConsumerRecords<K, V> records = consumer.poll(wait ? longest : Duration.ZERO);
        AssignedPartition.polled(
            records,
            PolledPositions.of(records),
            partition -> assigned.computeIfAbsent(partition, this::opened));
        if (!PolledPositions.REPORTED) {
          assigned.values().forEach(it -> it.passMarkers(consumer));
        }
        return assigned;
      });
    } catch (RecordDeserializationException e) {
      unreadable(e);
    } catch (WakeupException e) {
      LOG.trace("Outcomes have ended a wait for records", e);
    } finally {
      windows.endWait();
    }
  }

  private void unreadable(RecordDeserializationException e) {
    AssignedPartition<K, V> partition = assigned.computeIfAbsent(e.topicPartition(), this::opened);
    UnreadableRecord record = UnreadableRecord.of(e);
    String text = "offset " + e.offset() + record.problem();
    if (record.isReadAgain()) {
      partition.pauseUntil(System.nanoTime() + UnreadableRecord.PAUSE.toNanos(), text);
    } else {
      partition.stop(text);
    }
  }

  private void pauseAndResume(long now) {
    Set<TopicPartition> wanted = new HashSet<>();
    for (AssignedPartition<K, V> partition : assigned.values()) {
      if (partition.full(bounds.window(), bounds.most(), now)) {
        wanted.add(partition.partition());
      }
    }
    Set<TopicPartition> paused = consumer.paused();
    Set<TopicPartition> pause = new HashSet<>(wanted);
    pause.removeAll(paused);
    Set<TopicPartition> resume = new HashSet<>(paused);
    resume.retainAll(assigned.keySet()); // the client may still list a revoked one
    resume.removeAll(wanted);
    OwnedPartitions.of(pause, consumer::pause);
    OwnedPartitions.of(resume, consumer::resume);
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    LOG.info("Assigned {}", partitions);
    partitions.forEach(partition -> assigned.put(partition, opened(partition)));
  }

  private AssignedPartition<K, V> opened(TopicPartition partition) {
    return new AssignedPartition<>(partition, bounds.order().ordering(), handouts::of);
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    LOG.info("Revoked {}", partitions);
    guarded(() -> giveBack(take(partitions), bounds.drainTimeout(), bounds::brokerTimeout));
  }

  /** Others may own these partitions already: nothing is committed, nothing is waited for. */
  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    LOG.warn("Lost {}; what is not committed will be delivered again", partitions);
    guarded(() -> {
      List<OffsetTracker<ConsumerRecord<K, V>>> lost = offsets(take(partitions));
      windows.abandon(lost);
      windows.forget(lost);
    });
  }

  /** A callback that threw counts as successful, so the loop itself has to end. */
  private void guarded(Runnable callback) {
    windows.endWait(); // or outcomes would wake the commit of this callback
    try {
      callback.run();
    } catch (RuntimeException e) {
      brokenCallback = e;
    }
  }

  private List<AssignedPartition<K, V>> take(Collection<TopicPartition> partitions) {
    return partitions.stream()
        .map(assigned::remove)
        .flatMap(it -> Optional.ofNullable(it).stream())
        .toList();
  }

  private static <K, V> List<OffsetTracker<ConsumerRecord<K, V>>> offsets(
      List<AssignedPartition<K, V>> partitions) {
    return partitions.stream().map(AssignedPartition::offsets).toList();
  }

  private void giveBack(
      List<AssignedPartition<K, V>> given, Duration drain, Supplier<Duration> forCommit) {
    List<OffsetTracker<ConsumerRecord<K, V>>> offsets = offsets(given);
    windows.abandon(offsets);
    if (!windows.drain(offsets, drain)) {
      LOG.warn(
          "Handlers outlive the drain time-out of {}; their messages are not committed here",
          bounds.drainTimeout());
    }
    windows.forget(offsets);
    commits.last(given, forCommit.get());
  }

  @Override
  protected void giveBack() {
    giveBack(
        take(List.copyOf(assigned.keySet())),
        untilDrained(),
        () -> forBroker(untilLeft().dividedBy(2)));
  }

  @Override
  protected void close() {
    windows.close();
    close(consumer, forBroker(untilLeft()));
    handouts.close();
    snapshot = List.of();
  }

  private Duration forBroker(Duration left) {
    return left.compareTo(bounds.brokerTimeout()) < 0 ? left : bounds.brokerTimeout();
  }

  @Override
  protected List<PartitionStatus> partitions() {
    return snapshot;
  }
}
