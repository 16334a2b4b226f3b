package io.hapax.spring.kafka;

import io.hapax.kafka.internal.OwnedPartitions;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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
  private final Timer timer;
  private final Map<TopicPartition, Long> due = new HashMap<>();

  RestingPartitions(Consumer<?, ?> consumer, MessageListenerContainer owner, Timer timer) {
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

  /** Wakes consumers when the rest of a partition ends, so that they wait for no other record. */
  static final class Timer implements AutoCloseable {

    /** A container wakes its poll when a partition is resumed, also one that was not paused. */
    private static final TopicPartition NONE = new TopicPartition("hapax-none", 0);

    private final ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(task -> {
          Thread thread = new Thread(task, "hapax-kafka-resume");
          thread.setDaemon(true);
          return thread;
        });

    void wakeAfter(MessageListenerContainer container, Duration wait) {
      try {
        var unused = timer.schedule(
            () -> container.resumePartition(NONE), wait.toNanos(), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException closed) { // the application ends
        container.resumePartition(NONE);
      }
    }

    @Override
    public void close() {
      timer.shutdownNow();
    }
  }
}
