package io.hapax.redis;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Detects that a connection leads to another server than before, or to a restarted one: asks the
 * server for its run id after each reconnect.
 */
final class ServerRestarts implements ServerChangeWatcher.Changes {

  private static final int NEVER = -1;

  private final Pipeline pipeline;
  private final ServerIdentity server;
  private volatile int checkedEpoch = NEVER;

  ServerRestarts(Pipeline pipeline, Duration timeout) {
    this.pipeline = pipeline;
    this.server = new ServerIdentity(timeout);
    detect(first -> {});
  }

  @Override
  public boolean mayHaveChanged() {
    return checkedEpoch != pipeline.epoch();
  }

  @Override
  public void detect(Consumer<ServerChangeWatcher.Change> detected) {
    int epoch = pipeline.epoch();
    takeAnswer(detected); // the reply to an earlier question may have arrived meanwhile
    server.ask(new ServerIdentity.Connected(pipeline.connection(), epoch));
    server.await();
    takeAnswer(detected);
    if (server.isSettled()) {
      checkedEpoch = epoch;
    }
  }

  private void takeAnswer(Consumer<ServerChangeWatcher.Change> detected) {
    server
        .change()
        .ifPresent(
            evidence -> detected.accept(new ServerChangeWatcher.Change("all shards", evidence)));
  }
}
