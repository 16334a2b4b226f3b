package io.hapax.kafka;

import io.hapax.health.PartitionStatus;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread on which a receiver reads, with the supervisor of its poll loops. It is no daemon.
 * Thread-safe.
 */
final class PollThread {

  private static final Logger LOG = LoggerFactory.getLogger(PollThread.class);
  private static final Duration REPLACE_AFTER = Duration.ofSeconds(5);

  private final PollLoopSupervisor supervisor;
  private final Thread thread;

  /**
   * Creates a thread and its first poll loop, without starting it.
   *
   * @param name completes the name of the thread
   * @param loops makes a loop with a consumer of its own; called once here
   * @param clock the clock of problems
   */
  PollThread(String name, Supplier<? extends PollingLoop> loops, InstantSource clock) {
    this.supervisor = new PollLoopSupervisor(loops, REPLACE_AFTER, new Problems(clock));
    this.thread = new Thread(supervisor, "hapax-kafka-" + name);
  }

  void start() {
    thread.start();
  }

  /** Ends reading after the present round. May be called more than once. */
  void stop() {
    supervisor.stop();
  }

  /** Returns whether the calling thread is this one, so that it cannot wait for its end. */
  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** Waits for the end of the thread. After an interrupt it returns early and keeps the status. */
  void awaitEnd(Duration patience) {
    try {
      thread.join(Math.max(1, patience.toMillis())); // 0 would wait for ever
      if (thread.isAlive()) {
        LOG.warn("{} has not ended within {}", thread.getName(), patience);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  List<Problem> problems() {
    return supervisor.problems();
  }

  List<PartitionStatus> partitions() {
    return supervisor.partitions();
  }

  KafkaReceiver.State state() {
    return supervisor.state();
  }

  Optional<Throwable> failure() {
    return supervisor.failure();
  }
}
