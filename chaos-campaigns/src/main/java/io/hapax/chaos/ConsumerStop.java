package io.hapax.chaos;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Stops a consumer with SIGSTOP until another one has completed its orders, and continues it. Its
 * leases have expired by then, and it does not know that.
 */
final class ConsumerStop implements Fault {

  /** The name of this fault. */
  static final String NAME = "stop";

  private static final long TICK_MILLIS = 200;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final Consumers consumers;
  private final StoreInspector inspector;

  ConsumerStop(Consumers consumers, StoreInspector inspector) {
    this.consumers = consumers;
    this.inspector = inspector;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Starts a consumer that holds its batch. A stop between two batches would test nothing. */
  @Override
  public ConsumerProcess startTarget(Consumers all, long after) throws IOException {
    return all.startHeld(after);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if no consumer takes over within two minutes
   */
  @Override
  public Optional<Disruption> inject(ConsumerProcess child, Random random)
      throws IOException, SQLException, InterruptedException {
    child.pause();
    try {
      Set<String> inDoubt = inspector.inDoubtAtRest(child.number());
      try (ConsumerProcess successor = consumers.start(0)) {
        awaitDone(child.reports(), successor);
        // Read now: the last reports may have been under way for a while.
        Set<String> inFlight = child.reports().inFlight();
        child.release(); // it reads the release when it wakes, before it can learn what it missed
        child.resume();
        successor.stop();
        return Optional.of(new Stop(child.number(), inFlight, inDoubt));
      }
    } finally {
      child.resume();
    }
  }

  private void awaitDone(ReportReader stopped, ConsumerProcess successor)
      throws IOException, SQLException, InterruptedException {
    long begin = System.nanoTime();
    while (!inspector.notDone(stopped.inFlight()).isEmpty()) {
      successor.mustRun();
      if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
        throw new IllegalStateException("no consumer took over from a stopped one for "
            + TIMEOUT.toSeconds() + " s: " + successor.endOfLog());
      }
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
  }
}
