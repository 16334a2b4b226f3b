package io.hapax.jdbc;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Purges on a daemon thread until it is closed. Every pause is random, so that nodes that start
 * together drift apart. A failure ends the pass and is logged as a warning once, until a pass
 * succeeds.
 */
final class Purger implements AutoCloseable {

  /** Leaves most of the database's time to others. */
  private static final Duration BETWEEN_BATCHES = Duration.ofMillis(50);

  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

  private final PurgeSettings settings;
  private final Supplier<? extends Pass> passes;
  private final String table;
  private final Logger log;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private boolean failing;

  /** One pass over the marks that may be removed. */
  interface Pass {

    /** Removes a batch and returns whether there may be more. */
    boolean next(int batchSize);
  }

  Purger(PurgeSettings settings, Supplier<? extends Pass> passes, String table, Logger log) {
    this.settings = settings;
    this.passes = passes;
    this.table = table;
    this.log = log;
    this.thread = new Thread(this::run, "hapax-purge-" + table);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (pause(settings.interval())) {
        pass();
      }
    } catch (InterruptedException e) {
      log.warn("The purge of {} was interrupted by another thread and has ended", table);
    }
  }

  private void pass() throws InterruptedException {
    try {
      Pass pass = passes.get();
      while (pass.next(settings.batchSize()) && pause(BETWEEN_BATCHES)) {
        // The next batch.
      }
      succeeded();
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  /** Waits about this long and returns false once the purger is closed. */
  private boolean pause(Duration about) throws InterruptedException {
    long nanos = about.toNanos();
    long random = nanos / 2 + ThreadLocalRandom.current().nextLong(nanos + 1);
    return !closed.await(random, TimeUnit.NANOSECONDS);
  }

  private void failed(Throwable e) {
    if (failing) {
      log.debug("The purge of {} still fails", table, e);
    } else {
      log.warn(
          "The purge of {} failed and the table grows; the next try follows in about {}",
          table,
          settings.interval(),
          e);
    }
    failing = true;
  }

  private void succeeded() {
    if (failing) {
      log.info("The purge of {} works again", table);
    }
    failing = false;
  }

  /**
   * Waits for the current batch. Does not interrupt the thread, because an interrupt in a driver
   * may close more than a statement (H2 closes the database).
   */
  @Override
  public void close() {
    closed.countDown();
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join(LONGEST_CLOSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
