package io.hapax.chaos;

import io.hapax.servers.LocalServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Kills a server of the store with SIGKILL under a running consumer, and starts it again. */
final class StoreRestart implements Fault {

  /** The name of this fault. */
  static final String NAME = "store restart";

  private static final long TICK_MILLIS = 20;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final List<LocalServer> servers;
  private final StoreInspector inspector;

  /**
   * Creates the fault.
   *
   * @param servers those of the store; one of them is killed
   */
  StoreRestart(List<LocalServer> servers, StoreInspector inspector) {
    this.servers = List.copyOf(servers);
    this.inspector = inspector;
  }

  @Override
  public String name() {
    return NAME;
  }

  /**
   * Kills a server, waits for the consumer's store error, and continues the consumer when the
   * server is back. The consumer is paused while shop and store are compared, because it would
   * repair what it finds.
   *
   * @throws IllegalStateException if the consumer does not notice within a minute
   */
  @Override
  public Optional<Disruption> inject(ConsumerProcess child, Random random)
      throws IOException, SQLException, InterruptedException {
    LocalServer server = servers.get(random.nextInt(servers.size()));
    int before = child.reports().storeErrors();
    server.kill();
    awaitStoreError(child, before);
    child.pause();
    try {
      Set<String> inFlight = child.reports().inFlight();
      server.restart();
      return Optional.of(
          new Outage(child.number(), inFlight, inspector.inDoubtAtRest(child.number())));
    } finally {
      child.resume();
    }
  }

  /**
   * Waits until a consumer has reported that its store does not answer.
   *
   * @param before the number of store errors that the consumer had already reported
   * @throws IllegalStateException if the consumer reports none within a minute
   */
  static void awaitStoreError(ConsumerProcess child, int before)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!child.reports().awaitStoreError(before, TICK_MILLIS)) {
      child.mustRun();
      if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
        throw new IllegalStateException("the consumer did not notice a dead store for "
            + TIMEOUT.toSeconds() + " s: " + child.endOfLog());
      }
    }
  }
}
