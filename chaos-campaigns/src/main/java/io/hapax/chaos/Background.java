package io.hapax.chaos;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the steps of the live demo that follow later or regularly. A failed step is only logged. */
final class Background implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Background.class);
  private static final long LONGEST_STEP_SECONDS = 30;

  private final ScheduledExecutorService threads;

  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  Background(int threads) {
    this.threads = Executors.newScheduledThreadPool(threads, work -> {
      Thread thread = new Thread(work, "live-demo");
      thread.setDaemon(true);
      return thread;
    });
  }

  void every(Duration pause, String name, Step step) {
    Future<?> unused = threads.scheduleWithFixedDelay(
        () -> guarded(name, step), 0, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  void later(Duration delay, String name, Step step) {
    Future<?> unused =
        threads.schedule(() -> guarded(name, step), delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void guarded(String name, Step step) {
    try {
      step.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.error("{} failed", name, e);
    }
  }

  /** Interrupts the steps and waits for them: none may start a process or a server after this. */
  @Override
  public void close() throws InterruptedException {
    threads.shutdownNow();
    boolean unused = threads.awaitTermination(LONGEST_STEP_SECONDS, TimeUnit.SECONDS);
  }
}
