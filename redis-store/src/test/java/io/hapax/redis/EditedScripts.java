package io.hapax.redis;

import io.hapax.redis.Layout.Compact;
import io.hapax.redis.Layout.Strings;
import io.hapax.servers.LocalRedis;
import io.hapax.store.StoreListeners;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/** Runs scripts with an edited text on a real server. */
final class EditedScripts implements ScriptRunner, AutoCloseable {

  private final RedisClient client;
  private final Pipeline pipeline;
  private final UnaryOperator<String> edit;

  EditedScripts(LocalRedis redis, UnaryOperator<String> edit) {
    this.client = RedisClient.create(Servers.uri(redis));
    this.pipeline = new Pipeline(
        RenewableConnection.fixed(client.connect(ByteArrayCodec.INSTANCE)),
        true,
        Duration.ofSeconds(30));
    this.edit = edit;
  }

  ScriptExecutor executor(
      String namespace, boolean compact, Duration retention, LongConsumer bucketSizes) {
    StoreListeners unused = new StoreListeners();
    return new ScriptExecutor(
        new Keyspace(namespace, 1, compact ? Compact.of(1, 1) : new Strings()),
        retention,
        this,
        this,
        new DataLossDetector(1, new DataLossReporter(unused), () -> {}, Duration.ofSeconds(1)),
        bucketSizes);
  }

  @Override
  public List<Reply> run(List<ScriptCall> calls) {
    return pipeline.send(calls.stream().map(this::edited).toList());
  }

  private RedisRequest edited(ScriptCall call) {
    String script = ScriptText.of(call.script(), call.marks()).content();
    return RedisRequest.byText(edit.apply(script), call.keys(), call.arguments());
  }

  @Override
  public void close() {
    pipeline.close();
    client.shutdown();
  }
}
