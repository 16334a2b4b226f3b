package io.hapax.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a process end normally on SIGTERM or Ctrl-C. The JVM waits for {@link #close()} or a
 * timeout.
 */
public final class Termination implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);

  private Termination() {}

  public static Termination listen() {
    Termination termination = new Termination();
    Runtime.getRuntime().addShutdownHook(new Thread(termination::endInGoodOrder, "termination"));
    return termination;
  }

  private void endInGoodOrder() {
    asked.countDown();
    try {
      boolean unused = over.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the JVM halts
    }
  }

  /** Waits until the process is asked to end, and returns whether it was. */
  public boolean await(Duration atMost) throws InterruptedException {
    return asked.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    over.countDown();
  }
}
