package io.hapax.kafka;

import io.hapax.health.PartitionStatus;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls with a consumer of its own, until it is stopped or dies. One thread runs it. */
abstract class PollingLoop {

  private static final Logger LOG = LoggerFactory.getLogger(PollingLoop.class);

  /** How long the last commit and leaving the group may take together, after the drain. */
  static final Duration LEAVING = Duration.ofSeconds(10);

  final Problems problems;
  private volatile boolean stopped;
  private volatile long stoppedNanos;

  PollingLoop(InstantSource clock) {
    this.problems = new Problems(clock);
  }

  /** Begins to read, before the first round. */
  abstract void begin();

  abstract void round();

  /** Gives everything back and leaves the group. The thread is not interrupted. */
  abstract void leave();

  /**
   * Polls until it is stopped, and leaves the group, also after an interrupt.
   *
   * @throws RuntimeException what it died of, after it has left the group
   */
  final void run() {
    try {
      begin();
      while (!stopped) {
        round();
      }
    } finally {
      boolean interrupted = Thread.interrupted();
      leave();
      problems.replaceAll(List.of());
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends the loop after its present round. May be called by any thread. */
  final void stop() {
    if (!stopped) {
      stoppedNanos = System.nanoTime();
      stopped = true;
    }
  }

  final boolean isStopped() {
    return stopped;
  }

  /** Returns when a drain ends that begins with {@link #stop}, or now if the loop died. */
  final long endOfDrain(Duration drainTimeout) {
    return (stopped ? stoppedNanos : System.nanoTime()) + drainTimeout.toNanos();
  }

  static Duration until(long nanos) {
    return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
  }

  @SuppressWarnings("deprecation") // what replaces it is missing in kafka-clients before 4.1
  static void close(Consumer<?, ?> consumer, Duration atMost) {
    try {
      consumer.close(atMost);
    } catch (RuntimeException e) {
      LOG.error("A consumer did not close well", e);
    }
  }

  /** Returns what keeps messages from moving. May be called by any thread. */
  List<Problem> problems() {
    return problems.list();
  }

  /** Returns how far the partitions are that it has; empty where none is assigned for long. */
  List<PartitionStatus> partitions() {
    return List.of();
  }
}
