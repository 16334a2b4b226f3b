package io.hapax.kafka;

import io.hapax.health.PartitionStatus;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupMaxSizeReachedException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.UnreleasedInstanceIdException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread on which a receiver reads; it is no daemon. It runs poll loops, one after the other,
 * each with a consumer of its own. Some errors of a consumer end elsewhere: missing rights, wrong
 * credentials, or a group that is being upgraded. After such an error and a pause, the consumer is
 * replaced, because neither Kafka protocol promises that it recovers. Any other error ends the
 * thread. Thread-safe.
 */
final class PollThread {

  private static final Logger LOG = LoggerFactory.getLogger(PollThread.class);
  private static final Duration REPLACE_AFTER = Duration.ofSeconds(5);

  private final Supplier<? extends PollingLoop> loops;
  private final Problems problems;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile PollingLoop loop;
  private volatile KafkaReceiver.State state = KafkaReceiver.State.RUNNING;
  private volatile @Nullable Throwable failure;

  /**
   * Creates a thread and its first poll loop, which has a consumer of its own, without starting it.
   */
  PollThread(String name, Supplier<? extends PollingLoop> loops, InstantSource clock) {
    this.loops = loops;
    this.problems = new Problems(clock);
    this.loop = loops.get();
    this.thread = new Thread(this::run, "hapax-kafka-" + name);
  }

  void start() {
    thread.start();
  }

  private void run() {
    KafkaReceiver.State end = KafkaReceiver.State.DOWN;
    try {
      while (!lived()) {
        loop = loops.get();
        problems.clear(Problem.Kind.BROKER, "");
      }
      end = KafkaReceiver.State.CLOSED;
    } catch (Throwable e) {
      failure = e;
      LOG.error("Reading has ended; others take over the partitions", e);
    } finally {
      state = end;
      raiseIfDead();
    }
  }

  /** Runs one poll loop; returns false if another should follow. */
  private boolean lived() throws InterruptedException {
    try {
      if (closing.getCount() == 0) {
        loop.stop();
      }
      loop.run();
      return true;
    } catch (AuthorizationException
        | AuthenticationException
        | GroupMaxSizeReachedException
        | InconsistentGroupProtocolException
        | UnreleasedInstanceIdException e) {
      LOG.warn("The consumer died and is replaced in {}", REPLACE_AFTER, e);
      problems.raise(
          Problem.Kind.BROKER,
          "",
          "the consumer died and is replaced every " + REPLACE_AFTER + ": " + e);
      return closing.await(REPLACE_AFTER.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /** Ends reading after the present round. May be called more than once. */
  void stop() {
    closing.countDown();
    loop.stop();
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

  /** Asked for again by health, because memory may have been used up when the loop died. */
  private void raiseIfDead() {
    failure()
        .ifPresent(e -> problems.raise(Problem.Kind.RECEIVER_DOWN, "", "the poll loop died: " + e));
  }

  List<Problem> problems() {
    raiseIfDead();
    return Problems.join(loop.problems(), problems.list());
  }

  List<PartitionStatus> partitions() {
    return loop.partitions();
  }

  KafkaReceiver.State state() {
    return state;
  }

  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }
}
