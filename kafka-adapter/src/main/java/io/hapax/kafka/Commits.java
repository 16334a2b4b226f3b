package io.hapax.kafka;

import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One commit is under way at a time. Its answer goes to the trackers it was made from. */
final class Commits<K, V> {

  private static final Logger LOG = LoggerFactory.getLogger(Commits.class);
  private static final long RETRY_NANOS = Duration.ofMillis(500).toNanos();

  /** Each commit costs the broker a write to its own topic, and a later one covers it. */
  private static final long INTERVAL_NANOS = Duration.ofMillis(50).toNanos();

  private static final int REPORTED_FAILURES = 3;

  private final Consumer<K, V> consumer;
  private boolean underway;
  private long retryNanos = System.nanoTime();
  private long nextNanos = System.nanoTime();
  private int failures;
  private @Nullable Exception lastFailure;

  Commits(Consumer<K, V> consumer) {
    this.consumer = consumer;
  }

  void send(Collection<AssignedPartition<K, V>> partitions, long nowNanos) {
    if (underway
        || retryNanos - nowNanos > 0
        || (nextNanos - nowNanos > 0 && anyUnfinished(partitions))) {
      return;
    }
    Map<AssignedPartition<K, V>, OffsetAndMetadata> asked =
        offsets(partitions, AssignedPartition::committable);
    if (asked.isEmpty()) {
      return;
    }
    asked.forEach((partition, offset) -> partition.commitRequested(offset.offset()));
    underway = true;
    nextNanos = nowNanos + INTERVAL_NANOS;
    try {
      consumer.commitAsync(byPartition(asked), (ignored, error) -> answered(asked, error));
    } catch (WakeupException e) { // meant for a poll; thrown while the coordinator is unknown
      answered(asked, e);
    }
  }

  private static <K, V> boolean anyUnfinished(Collection<AssignedPartition<K, V>> partitions) {
    return partitions.stream().anyMatch(it -> it.offsets().kept() > 0);
  }

  private void answered(
      Map<AssignedPartition<K, V>, OffsetAndMetadata> asked, @Nullable Exception error) {
    underway = false;
    if (error == null) {
      failures = 0;
      asked.forEach((partition, offset) -> partition.commitSucceeded(offset.offset()));
      return;
    }
    failures++;
    lastFailure = error;
    retryNanos = System.nanoTime() + RETRY_NANOS;
    LOG.info(
        "A commit of {} failed; a later one covers it: {}", byPartition(asked), error.toString());
    asked.forEach((partition, offset) -> partition.commitFailed(offset.offset()));
  }

  /** Commits what the broker may not have yet of ending epochs, and waits for the answer. */
  void last(Collection<AssignedPartition<K, V>> partitions, Duration atMost) {
    Map<TopicPartition, OffsetAndMetadata> offsets =
        byPartition(offsets(partitions, AssignedPartition::unacknowledged));
    if (offsets.isEmpty()) {
      return;
    }
    try {
      commit(offsets, atMost);
    } catch (KafkaException e) {
      LOG.warn(
          "The last commit of {} failed; their records are redelivered as duplicates", offsets, e);
    }
  }

  private void commit(Map<TopicPartition, OffsetAndMetadata> offsets, Duration atMost) {
    try {
      consumer.commitSync(offsets, atMost);
    } catch (WakeupException e) {
      consumer.commitSync(offsets, atMost);
    }
  }

  Optional<Problems.Found> problem() {
    return failures < REPORTED_FAILURES
        ? Optional.empty()
        : Optional.of(new Problems.Found(
            Problem.Kind.COMMIT, "", "the last " + failures + " commits failed: " + lastFailure));
  }

  private static <K, V> Map<AssignedPartition<K, V>, OffsetAndMetadata> offsets(
      Collection<AssignedPartition<K, V>> partitions,
      Function<AssignedPartition<K, V>, Optional<OffsetAndMetadata>> which) {
    Map<AssignedPartition<K, V>, OffsetAndMetadata> offsets = new HashMap<>();
    for (AssignedPartition<K, V> partition : partitions) {
      which.apply(partition).ifPresent(offset -> offsets.put(partition, offset));
    }
    return offsets;
  }

  private static <K, V> Map<TopicPartition, OffsetAndMetadata> byPartition(
      Map<AssignedPartition<K, V>, OffsetAndMetadata> offsets) {
    Map<TopicPartition, OffsetAndMetadata> byPartition = new HashMap<>();
    offsets.forEach((partition, offset) -> byPartition.put(partition.partition(), offset));
    return byPartition;
  }
}
