package io.hapax.spring.kafka;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Pauses partitions of containers, and resumes each of them after its time. */
final class PartitionRest implements AutoCloseable {

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "hapax-kafka-resume");
        thread.setDaemon(true);
        return thread;
      });

  /**
   * Pauses a partition before the next poll. A pause of the application stays as it is.
   *
   * @param container the container that owns the partition, not one with several consumers
   */
  void pause(MessageListenerContainer container, TopicPartition partition, Duration wait) {
    if (wait.isZero() || container.isPartitionPauseRequested(partition)) {
      return;
    }
    container.pausePartition(partition);
    try {
      var unused = timer.schedule(
          () -> container.resumePartition(partition), wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) { // the application ends
      container.resumePartition(partition);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
