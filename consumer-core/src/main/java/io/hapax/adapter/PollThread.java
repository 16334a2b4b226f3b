package io.hapax.adapter;

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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread on which a receiver reads; it is no daemon. It runs polling loops, one after the
 * other, each with a consumer of its own. The cause of some errors of a consumer ends elsewhere.
 * After such an error and a pause, the consumer is replaced. Any other error ends the thread.
 * Thread-safe.
 */
public final class PollThread {

  private static final Logger LOG = LoggerFactory.getLogger(PollThread.class);
  private static final Duration REPLACE_AFTER = Duration.ofSeconds(5);

  private final Supplier<? extends PollingLoop> loops;
  private final Problems problems;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile PollingLoop loop;
  private volatile boolean ended;
  private volatile @Nullable Throwable failure;

  /**
   * Creates a thread and its first loop, without starting it.
   *
   * @param name the name of the thread
   * @param loops makes a loop with a new consumer for each call
   * @param clock says when a problem begins
   */
  public PollThread(String name, Supplier<? extends PollingLoop> loops, InstantSource clock) {
    this.loops = loops;
    this.problems = new Problems(clock);
    this.loop = loops.get();
    this.thread = new Thread(this::run, name);
  }

  /** Begins to read. */
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!lived()) {
        loop = loops.get();
        problems.clear(Problem.Kind.BROKER, "");
      }
    } catch (Throwable e) {
      died(e);
      LOG.error("Reading has ended; others take over", e);
    } finally {
      ended = true;
    }
  }

  /** Runs one loop; returns false if another should follow. */
  private boolean lived() throws Exception {
    try {
      if (closing.getCount() == 0) {
        loop.stop();
      }
      loop.run(this::dying);
      return true;
    } catch (RuntimeException e) {
      if (!loop.isReplacedAfter(e)) {
        throw e;
      }
      return closing.await(REPLACE_AFTER.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /** Shows at once why nothing is read any more: leaving the group waits for running handlers. */
  private void dying(Throwable death) {
    if (loop.isReplacedAfter(death)) {
      LOG.warn("The consumer died and is replaced after {}", REPLACE_AFTER, death);
      problems.raise(
          Problem.Kind.BROKER,
          "",
          "the consumer died and is replaced every " + REPLACE_AFTER + ": " + death);
    } else {
      died(death);
    }
  }

  private void died(Throwable death) {
    failure = death;
    problems.raise(
        Problem.Kind.RECEIVER_DOWN, "", "reading has ended, because the poll loop died: " + death);
  }

  /** Ends reading after the present round. May be called more than once. */
  public void stop() {
    closing.countDown();
    loop.stop();
  }

  /** {@return whether the calling thread is this one, so that it cannot wait for its end} */
  public boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /**
   * Waits for the end of the thread, unless the calling thread is this one. After an interrupt it
   * returns early and keeps the status.
   *
   * @param patience the longest wait
   */
  public void awaitEnd(Duration patience) {
    if (isCurrent()) {
      return;
    }
    try {
      thread.join(Math.max(1, patience.toMillis())); // 0 would wait for ever
      if (thread.isAlive()) {
        LOG.warn("{} has not ended within {}", thread.getName(), patience);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** {@return what keeps messages from moving, and what the thread died of} */
  public List<Problem> problems() {
    return Problems.join(loop.problems(), problems.list());
  }

  /** {@return how far the partitions are that the loop has at the moment} */
  public List<PartitionStatus> partitions() {
    return loop.partitions();
  }

  /** {@return whether it reads on: it was not stopped, and no error ends it} */
  public boolean isReading() {
    return closing.getCount() > 0 && failure == null;
  }

  /** {@return whether reading has ended; with a {@link #failure} if an error ended it} */
  public boolean hasEnded() {
    return ended;
  }

  /** {@return the error that has ended reading, or is about to} */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }
}
