package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import java.time.Duration;

/**
 * Runs the scripts on a real server, at a time that stands still: what asks for the time in their
 * text is replaced by the answer. So they can be watched at the very microsecond at which something
 * ends.
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
      String namespace, boolean compact, Duration retention, BucketSizeMonitor bucketSizes) {
    return scripts.executor(namespace, compact, retention, bucketSizes);
  }

  @Override
  public void close() {
    scripts.close();
  }
}
