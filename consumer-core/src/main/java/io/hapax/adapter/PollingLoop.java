package io.hapax.adapter;

import io.hapax.health.PartitionStatus;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads from a broker in rounds, with a consumer of its own, until it is stopped or dies. A
 * {@link PollThread} runs it.
 */
public abstract class PollingLoop {

  /** How long the last commit and leaving the group may take together, after the drain. */
  public static final Duration LEAVING = Duration.ofSeconds(10);

  /** How long a round waits for messages, unless outcomes end the wait. */
  protected static final Duration IDLE = Duration.ofMillis(100);

  /** How long it waits while messages are in flight, because some outcomes do not end the wait. */
  protected static final Duration BUSY = Duration.ofMillis(20);

  private static final Logger LOG = LoggerFactory.getLogger(PollingLoop.class);

  /** What keeps messages from moving. */
  protected final Problems problems;

  /** The topics or the group that the loop reads, for the log. */
  protected final Object source;

  private final Duration drainTimeout;
  private final Runnable requireRunning;
  private final LongSupplier nanos;
  private volatile boolean stopped;
  private volatile long endNanos;

  /**
   * Creates a loop that does not read yet.
   *
   * @param source the topics or the group that the loop reads, for the log
   * @param drainTimeout how long the loop waits for running handlers when it ends
   * @param clock says when a problem begins
   * @param requireRunning throws once the receiver has failed: then the loop dies
   * @param nanos the monotonic clock, in nanoseconds
   */
  protected PollingLoop(
      Object source,
      Duration drainTimeout,
      InstantSource clock,
      Runnable requireRunning,
      LongSupplier nanos) {
    this.source = source;
    this.drainTimeout = drainTimeout;
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

  /**
   * Gives everything back, within {@link #untilDrained} for running handlers. The thread is not
   * interrupted at first.
   *
   * @throws Exception if it fails; the loop logs it and calls {@link #close}
   */
  protected void giveBack() throws Exception {}

  /** Leaves the group, also if {@link #giveBack} failed. The thread is not interrupted. */
  protected abstract void close();

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
      leave();
    }
  }

  private void leave() {
    boolean interrupted = Thread.interrupted();
    if (!stopped) {
      endNanos = nanos.getAsLong();
    }
    try {
      giveBack();
    } catch (Exception e) {
      LOG.error("The messages of {} were not given back", source, e);
    } finally {
      interrupted |= Thread.interrupted();
      close();
      problems.replaceAll(List.of());
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends the loop after its present round. May be called by any thread. */
  protected final void stop() {
    if (!stopped) {
      endNanos = nanos.getAsLong();
      stopped = true;
    }
  }

  /** {@return whether {@link #stop} was called} */
  protected final boolean isStopped() {
    return stopped;
  }

  /**
   * {@return the rest of the drain timeout, which begins at {@link #stop} or when the loop dies}
   */
  protected final Duration untilDrained() {
    return untilEndAnd(drainTimeout);
  }

  /**
   * {@return the time until the loop must have left its group: {@link #LEAVING} after the drain}
   */
  protected final Duration untilLeft() {
    return untilEndAnd(drainTimeout.plus(LEAVING));
  }

  private Duration untilEndAnd(Duration time) {
    return Duration.ofNanos(Math.max(0, endNanos + time.toNanos() - nanos.getAsLong()));
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
