package io.hapax.demo;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Stops a consumer with SIGSTOP until another one has done what it had in its hands, and lets it go
 * on: its leases are over, and it does not know.
 */
final class Freeze implements Blow {

  /** What this is called. */
  static final String NAME = "stop";

  private static final long TICK_MILLIS = 200;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Consumers consumers;
  private final LeftBehind leftBehind;

  Freeze(Consumers consumers, LeftBehind leftBehind) {
    this.consumers = consumers;
    this.leftBehind = leftBehind;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** One that holds what it has: a stop between two batches would be a test of nothing. */
  @Override
  public Child victim(Consumers all, long after) throws IOException {
    return all.startHeld(after);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if nobody takes over within two minutes
   */
  @Override
  public Optional<Disruption> under(Child child, Random random)
      throws IOException, SQLException, InterruptedException {
    child.pause();
    try {
      Set<String> inDoubt = leftBehind.inDoubtAtRest(child.number());
      try (Child heir = consumers.start(0)) {
        awaitDone(child.reports(), heir);
        // Only now: what it reported last may have been on its way for a while.
        Set<String> inFlight = child.reports().inFlight();
        child.goOn(); // it finds the word when it wakes, before it can learn what it missed
        child.resume();
        heir.stop();
        return Optional.of(new Stop(child.number(), inFlight, inDoubt));
      }
    } finally {
      child.resume();
    }
  }

  private void awaitDone(ReportReader stopped, Child heir)
      throws IOException, SQLException, InterruptedException {
    long begin = System.nanoTime();
    while (!leftBehind.notDone(stopped.inFlight()).isEmpty()) {
      heir.mustRun();
      if (System.nanoTime() - begin > PATIENCE.toNanos()) {
        throw new IllegalStateException("nobody took over from a stopped consumer for "
            + PATIENCE.toSeconds() + " s: " + heir.endOfLog());
      }
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
  }
}
