package io.hapax.spring.kafka;

import io.hapax.kafka.internal.OwnedPartitions;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Pauses partitions at the consumer. The container does not remember who paused a partition, so
 * that the end of a rest would undo a pause of the application.
 */
final class RestingPartitions {

  private final Consumer<?, ?> consumer;
  private final MessageListenerContainer owner;
  private final PartitionRest timer;
  private final Map<TopicPartition, Long> due = new HashMap<>();

  RestingPartitions(Consumer<?, ?> consumer, MessageListenerContainer owner, PartitionRest timer) {
    this.consumer = consumer;
    this.owner = owner;
    this.timer = timer;
  }

  void rest(TopicPartition partition, Duration wait) {
    boolean pausedByOthers = !due.containsKey(partition) && consumer.paused().contains(partition);
    if (wait.isZero() || pausedByOthers) {
      return;
    }
    OwnedPartitions.of(partition, () -> {
      consumer.pause(Set.of(partition));
      due.put(partition, System.nanoTime() + wait.toNanos());
      timer.wakeAfter(owner, wait);
    });
  }

  /** Resumes what has rested enough. The container has paused before what the application wants. */
  void beforePoll() {
    due.keySet().retainAll(consumer.assignment());
    long now = System.nanoTime();
    due.entrySet().removeIf(it -> {
      boolean isOver = it.getValue() - now <= 0;
      if (!isOver) {
        // The container may have resumed it.
        OwnedPartitions.of(it.getKey(), () -> consumer.pause(Set.of(it.getKey())));
      }
      return isOver && isEnded(it.getKey());
    });
  }

  private boolean isEnded(TopicPartition partition) {
    if (owner.isPartitionPauseRequested(partition)) {
      return owner.isPartitionPaused(partition); // then the container resumes it
    } else if (owner.isPauseRequested()) {
      return false;
    }
    OwnedPartitions.of(partition, () -> consumer.resume(Set.of(partition)));
    return true;
  }

  /** Leaves to the container what the application has paused meanwhile. */
  void afterPoll() {
    Set<TopicPartition> assigned = consumer.assignment();
    for (TopicPartition each : due.keySet()) {
      if (assigned.contains(each)
          && owner.isPartitionPauseRequested(each)
          && !owner.isPartitionPaused(each)) {
        OwnedPartitions.of(each, () -> consumer.resume(Set.of(each)));
      }
    }
  }

  void forget(Collection<TopicPartition> partitions) {
    due.keySet().removeAll(partitions);
  }
}
