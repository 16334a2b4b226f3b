package io.hapax.spring.kafka;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Wakes consumers when the rest of a partition ends, so that they wait for no other record. */
final class PartitionRest implements AutoCloseable {

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
