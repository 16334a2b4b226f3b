package io.hapax.redis;

import io.hapax.redis.ServerChangeWatcher.Change;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Detects that a connection leads to another server than before, or to a restarted one: asks the
 * server for its run id after each reconnect. Also detects that the server evicts keys.
 */
final class ServerRestarts implements ServerChangeWatcher.Changes {

  private static final int NEVER = -1;
  private static final String PLACE = "all shards";

  private final Pipeline pipeline;
  private final ServerIdentity server;
  private final Evictions evictions;
  private volatile int checkedEpoch = NEVER;

  ServerRestarts(Pipeline pipeline, Duration timeout) {
    this.pipeline = pipeline;
    this.server = new ServerIdentity(timeout);
    this.evictions = new Evictions(timeout);
    detect(first -> {});
  }

  @Override
  public boolean mayHaveChanged() {
    return checkedEpoch != pipeline.epoch() || evictions.isDue();
  }

  @Override
  public void detect(Consumer<Change> detected) {
    int epoch = pipeline.epoch();
    evictions.ask(Optional.of(pipeline.connection()));
    takeAnswer(detected); // the reply to an earlier question may have arrived meanwhile
    server.ask(new ServerIdentity.Connected(pipeline.connection(), epoch));
    server.await();
    takeAnswer(detected);
    if (server.isSettled()) {
      checkedEpoch = epoch;
    }
  }

  private void takeAnswer(Consumer<Change> detected) {
    server.change().ifPresent(evidence -> detected.accept(Change.latest(PLACE, evidence)));
    evictions.increase().ifPresent(evidence -> detected.accept(Change.evicted(PLACE, evidence)));
  }
}
