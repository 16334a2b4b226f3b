package io.hapax.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a process end in good order on SIGTERM or Ctrl-C: the JVM goes on until {@link #close()}, or
 * until its patience is over.
 */
final class Termination implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);

  private Termination() {}

  /** Listens for it from now on. */
  static Termination listen() {
    Termination termination = new Termination();
    Runtime.getRuntime().addShutdownHook(new Thread(termination::endInGoodOrder, "termination"));
    return termination;
  }

  private void endInGoodOrder() {
    asked.countDown();
    try {
      boolean unused = over.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the JVM halts
    }
  }

  /** Waits until somebody asks the process to end; says whether that was so. */
  boolean await(Duration atMost) throws InterruptedException {
    return asked.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** All is done that had to be. */
  @Override
  public void close() {
    over.countDown();
  }
}
