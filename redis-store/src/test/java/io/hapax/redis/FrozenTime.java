package io.hapax.redis;

import io.hapax.redis.Layout.Compact;
import io.hapax.redis.Layout.Strings;
import io.hapax.servers.LocalRedis;
import io.hapax.store.StoreListeners;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;

/**
 * Runs the scripts on a real server, at a time that stands still: what asks for the time in their
 * text is replaced by the answer. So they can be watched at the very microsecond at which something
 * ends.
 */
final class FrozenTime implements ScriptRunner, AutoCloseable {

  private final RedisClient client;
  private final Wire wire;
  private long now;

  FrozenTime(LocalRedis redis) {
    this.client = RedisClient.create(Servers.uri(redis));
    this.wire =
        new Wire(Line.fixed(client.connect(ByteArrayCodec.INSTANCE)), true, Duration.ofSeconds(30));
  }

  void set(long micros) {
    now = micros;
  }

  Executor executor(String namespace, boolean compact, Duration retention, Crowding crowding) {
    StoreListeners nobody = new StoreListeners();
    return new Executor(
        new Keyspace(namespace, 1, compact ? Compact.of(1, 1) : new Strings()),
        retention,
        this,
        this,
        new Canaries(1, new Losses(nobody), () -> {}, Duration.ofSeconds(1)),
        crowding);
  }

  @Override
  public List<Reply> run(List<ScriptCall> calls) {
    return wire.send(calls.stream().map(this::frozen).toList());
  }

  private Request frozen(ScriptCall call) {
    String script = ScriptText.of(call.script(), call.marks())
        .content()
        .replace("call('TIME')", "{ " + now / 1_000_000 + ", " + now % 1_000_000 + " }");
    return Request.byText(script, call.keys(), call.arguments());
  }

  @Override
  public void close() {
    wire.close();
    client.shutdown();
  }
}
