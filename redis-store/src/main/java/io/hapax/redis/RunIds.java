package io.hapax.redis;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Notices that a connection leads to another server than before, or to a restarted one: after each
 * reconnect the server is asked who it is.
 */
final class RunIds implements Watched.Changes {

  private static final int NEVER = -1;

  private final Wire wire;
  private final ServerIdentity server;
  private volatile int seen = NEVER;

  RunIds(Wire wire, Duration timeout) {
    this.wire = wire;
    this.server = new ServerIdentity(timeout);
    find(first -> {});
  }

  @Override
  public boolean hasNews() {
    return seen != wire.renewals();
  }

  @Override
  public void find(Consumer<Watched.Change> found) {
    int renewals = wire.renewals();
    look(found); // what it was asked before may have been answered meanwhile
    server.ask(new ServerIdentity.Made(wire.connection(), renewals));
    server.await();
    look(found);
    if (server.isSettled()) {
      seen = renewals;
    }
  }

  private void look(Consumer<Watched.Change> found) {
    server.news().ifPresent(evidence -> found.accept(new Watched.Change("all shards", evidence)));
  }
}
