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
  private final ServerProbe server;
  private volatile int checkedEpoch = NEVER;

  ServerRestarts(Pipeline pipeline, Duration timeout) {
    this.pipeline = pipeline;
    this.server = new ServerProbe(timeout);
    detect(first -> {});
  }

  @Override
  public boolean mayHaveChanged() {
    return checkedEpoch != pipeline.epoch() || server.isDue();
  }

  @Override
  public void detect(Consumer<Change> detected) {
    int epoch = pipeline.epoch();
    server.askEvictions(Optional.of(pipeline.connection()));
    server.takeAnswers(
        PLACE, detected); // the reply to an earlier question may have arrived meanwhile
    server.askIdentity(new ServerProbe.Connected(pipeline.connection(), epoch));
    server.awaitIdentity();
    server.takeAnswers(PLACE, detected);
    if (server.isSettled()) {
      checkedEpoch = epoch;
    }
  }
}
