package io.hapax.spring.kafka;

import io.hapax.kafka.Processed;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the offsets behind a partition's last record that hold no record for this consumer:
 * transaction markers and aborted records. They are finished as soon as that record is. A position
 * that the listener or the application sought is never taken for one.
 */
final class TrailingMarkers {

  private final Consumer<?, ?> consumer;
  private final boolean wanted;

  /** The positions of partitions whose records are all finished. */
  private final Map<TopicPartition, Long> finished = new HashMap<>();

  /** Makes it without a partition; {@code wanted} is the container's property fixTxOffsets. */
  TrailingMarkers(Consumer<?, ?> consumer, boolean wanted) {
    this.consumer = consumer;
    this.wanted = wanted;
  }

  void handling(Collection<TopicPartition> partitions) {
    if (wanted) {
      partitions.forEach(each -> position(each)
          .ifPresentOrElse(it -> finished.put(each, it), () -> finished.remove(each)));
    }
  }

  Map<TopicPartition, OffsetAndMetadata> handled(Processed processed) {
    Map<TopicPartition, OffsetAndMetadata> commits = new HashMap<>(processed.commits());
    finished.keySet().removeAll(processed.seeks().keySet());
    dropSought();
    commits.replaceAll((partition, offset) -> Optional.ofNullable(finished.get(partition))
        .filter(position -> position > offset.offset())
        .map(position -> new OffsetAndMetadata(position, offset.leaderEpoch(), ""))
        .orElse(offset));
    return commits;
  }

  /** Forgets partitions whose position has changed since the last poll: something sought. */
  void dropSought() {
    finished
        .entrySet()
        .removeIf(it -> position(it.getKey()).filter(it.getValue()::equals).isEmpty());
  }

  Map<TopicPartition, OffsetAndMetadata> afterPoll() {
    Map<TopicPartition, OffsetAndMetadata> moved = new HashMap<>();
    finished.replaceAll((partition, before) -> {
      long position = position(partition).orElse(before);
      if (position > before) {
        moved.put(partition, new OffsetAndMetadata(position));
      }
      return Math.max(position, before);
    });
    return moved;
  }

  private Optional<Long> position(TopicPartition partition) {
    try {
      return Optional.of(consumer.position(partition, Duration.ZERO));
    } catch (KafkaException | IllegalStateException notKnown) {
      return Optional.empty();
    }
  }

  void forget(Collection<TopicPartition> partitions) {
    finished.keySet().removeAll(partitions);
  }
}
