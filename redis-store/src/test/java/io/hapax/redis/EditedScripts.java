package io.hapax.redis;

import io.hapax.redis.Layout.Compact;
import io.hapax.redis.Layout.Strings;
import io.hapax.servers.LocalRedis;
import io.hapax.store.StoreListeners;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Runs the scripts on a real server, with something changed in their text. */
final class EditedScripts implements ScriptRunner, AutoCloseable {

  private final RedisClient client;
  private final Wire wire;
  private final UnaryOperator<String> edit;

  EditedScripts(LocalRedis redis, UnaryOperator<String> edit) {
    this.client = RedisClient.create(Servers.uri(redis));
    this.wire =
        new Wire(Line.fixed(client.connect(ByteArrayCodec.INSTANCE)), true, Duration.ofSeconds(30));
    this.edit = edit;
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
    return wire.send(calls.stream().map(this::edited).toList());
  }

  private Request edited(ScriptCall call) {
    String script = ScriptText.of(call.script(), call.marks()).content();
    return Request.byText(edit.apply(script), call.keys(), call.arguments());
  }

  @Override
  public void close() {
    wire.close();
    client.shutdown();
  }
}
