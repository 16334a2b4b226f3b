package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * Runs scripts on a real server at a fixed time, which replaces the query of the time in their
 * text. So a test can watch the exact microsecond at which something expires.
 */
final class FrozenTime implements AutoCloseable {

  private final EditedScripts scripts;
  private long now;

  FrozenTime(LocalRedis redis) {
    this.scripts = new EditedScripts(
        redis,
        text ->
            text.replace("call('TIME')", "{ " + now / 1_000_000 + ", " + now % 1_000_000 + " }"));
  }

  void set(long micros) {
    now = micros;
  }

  ScriptExecutor executor(
      String namespace, boolean compact, Duration retention, LongConsumer bucketSizes) {
    return scripts.executor(namespace, compact, retention, bucketSizes);
  }

  @Override
  public void close() {
    scripts.close();
  }
}
