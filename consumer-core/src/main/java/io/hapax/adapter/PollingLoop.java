package io.hapax.adapter;

import io.hapax.health.PartitionStatus;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads from a broker in rounds, with a consumer of its own, until it is stopped or dies. A
 * {@link PollThread} runs it.
 */
public abstract class PollingLoop {

  private static final Logger LOG = LoggerFactory.getLogger(PollingLoop.class);

  /** How long the last commit and leaving the group may take together, after the drain. */
  public static final Duration LEAVING = Duration.ofSeconds(10);

  /** What keeps messages from moving. */
  protected final Problems problems;

  private final Runnable requireRunning;
  private final LongSupplier nanos;
  private @Nullable String pollProblem;
  private volatile boolean stopped;
  private volatile long stoppedNanos;

  /**
   * Creates a loop that does not read yet.
   *
   * @param clock says when a problem begins
   * @param requireRunning throws once the receiver has failed: then the loop dies
   * @param nanos the monotonic clock, in nanoseconds
   */
  protected PollingLoop(InstantSource clock, Runnable requireRunning, LongSupplier nanos) {
    this.problems = new Problems(clock);
    this.requireRunning = requireRunning;
    this.nanos = nanos;
  }

  /** Begins to read, before the first round. */
  protected void begin() {}

  /**
   * Polls once, and hands on and acknowledges what there is.
   *
   * @throws Exception what the loop dies of
   */
  protected abstract void round() throws Exception;

  /** Gives everything back and leaves the group. The thread is not interrupted. */
  protected abstract void leave();

  /**
   * {@return whether a loop with another consumer may read on after this error, because its cause
   * ends elsewhere}
   *
   * @param death what this loop died of
   */
  protected boolean isReplacedAfter(Throwable death) {
    return false;
  }

  /**
   * Polls until it is stopped, and leaves the group, also after an interrupt.
   *
   * @param dying receives what it dies of, before it leaves the group, which may take long
   * @throws Exception what it died of, after it has left the group
   */
  final void run(Consumer<Throwable> dying) throws Exception {
    try {
      begin();
      while (!stopped) {
        requireRunning.run();
        round();
      }
    } catch (Throwable e) {
      dying.accept(e);
      throw e;
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
  protected final void stop() {
    if (!stopped) {
      stoppedNanos = nanos.getAsLong();
      stopped = true;
    }
  }

  /** {@return whether {@link #stop} was called} */
  protected final boolean isStopped() {
    return stopped;
  }

  /**
   * {@return when a drain ends that begins with {@link #stop}, or now if the loop died}
   *
   * @param drainTimeout how long running handlers are waited for
   */
  protected final long endOfDrain(Duration drainTimeout) {
    return (stopped ? stoppedNanos : nanos.getAsLong()) + drainTimeout.toNanos();
  }

  /**
   * {@return the time until a moment, or zero}
   *
   * @param end the moment, by the monotonic clock
   */
  protected final Duration until(long end) {
    return Duration.ofNanos(Math.max(0, end - nanos.getAsLong()));
  }

  /**
   * Notes that a poll failed, and is tried again.
   *
   * @param topics what was polled, for people
   * @param failure why
   */
  protected final void pollFailed(Object topics, Exception failure) {
    LOG.warn("A poll of {} failed and is tried again", topics, failure);
    pollProblem = "the last poll failed: " + failure;
  }

  /** Notes that a poll succeeded. */
  protected final void pollSucceeded() {
    pollProblem = null;
  }

  /** {@return the failure of the last poll, as a problem} Belongs to the thread of the loop. */
  protected final Optional<Problems.Found> pollProblem() {
    return Optional.ofNullable(pollProblem)
        .map(text -> new Problems.Found(Problem.Kind.BROKER, "", text));
  }

  /** {@return what keeps messages from moving} May be called by any thread. */
  protected List<Problem> problems() {
    return problems.list();
  }

  /** {@return how far its partitions are; empty where none is assigned for long} */
  protected List<PartitionStatus> partitions() {
    return List.of();
  }
}
