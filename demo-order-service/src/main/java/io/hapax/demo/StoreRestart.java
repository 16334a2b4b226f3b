package io.hapax.demo;

import io.hapax.servers.LocalServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Kills a server of the store with SIGKILL under a running consumer, and starts it again. */
final class StoreRestart implements Blow {

  /** What this is called. */
  static final String NAME = "store restart";

  private static final long TICK_MILLIS = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final List<LocalServer> servers;
  private final LeftBehind leftBehind;

  /**
   * What restarts stores.
   *
   * @param servers those of the store; one of them is killed
   */
  StoreRestart(List<LocalServer> servers, LeftBehind leftBehind) {
    this.servers = List.copyOf(servers);
    this.leftBehind = leftBehind;
  }

  @Override
  public String name() {
    return NAME;
  }

  /**
   * Kills a server, lets the consumer run into that, and lets it go on when the server is back. The
   * consumer rests while shop and store are compared, because it would mend what it finds.
   *
   * @throws IllegalStateException if the consumer does not notice within a minute
   */
  @Override
  public Optional<Disruption> under(Child child, Random random)
      throws IOException, SQLException, InterruptedException {
    LocalServer server = servers.get(random.nextInt(servers.size()));
    server.kill();
    awaitStoreError(child);
    child.pause();
    try {
      Set<String> inFlight = child.reports().inFlight();
      server.restart();
      return Optional.of(
          new Outage(child.number(), inFlight, leftBehind.inDoubtAtRest(child.number())));
    } finally {
      child.resume();
    }
  }

  private static void awaitStoreError(Child child) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!child.reports().awaitStoreError(TICK_MILLIS)) {
      child.mustRun();
      if (System.nanoTime() - begin > PATIENCE.toNanos()) {
        throw new IllegalStateException("the consumer noticed nothing of a dead store for "
            + PATIENCE.toSeconds() + " s: " + child.endOfLog());
      }
    }
  }
}
