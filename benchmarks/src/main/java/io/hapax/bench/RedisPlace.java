package io.hapax.bench;

import io.hapax.redis.RedisDedupStore;
import io.hapax.servers.LocalRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Redis. The floor and the limit write into another database of the same server, which is filled
 * with as many marks.
 */
final class RedisPlace implements Place {

  private static final int FILL_BATCH = 1000;
  private static final int MARKS = 0;
  private static final int BESIDE = 1;

  private final LocalRedis server;
  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> beside;
  private final Messages messages = new Messages(false);
  private final RedisBytes bytes;
  private final RedisRaw raw;
  private RedisDedupStore store;

  private RedisPlace(LocalRedis server) {
    this.server = server;
    this.client = RedisClient.create(server.uri());
    this.store = newStore();
    this.bytes = learn();
    this.raw = new RedisRaw(server.port(), BESIDE, bytes);
    this.beside = client.connect(ByteArrayCodec.INSTANCE);
    beside.sync().select(BESIDE);
  }

  /** A rewrite of the append-only file would begin in the middle of some round. */
  static RedisPlace open() {
    LocalRedis server =
        LocalRedis.builder().setting("auto-aof-rewrite-percentage", "0").start();
    try {
      return new RedisPlace(server);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private RedisDedupStore newStore() {
    return RedisDedupStore.builder(RedisURI.create(server.uri()))
        .retention(Messages.RETENTION)
        .build();
  }

  private RedisBytes learn() {
    StoreTasks.fill(store, messages, 0, 1, 1);
    try (var connection = client.connect(ByteArrayCodec.INSTANCE)) {
      return RedisBytes.of(connection.sync(), messages.known(0).key());
    }
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(
        "Redis", after("redis_version:", server.command("INFO", "server").lines()));
    for (String name : List.of("appendonly", "appendfsync", "auto-aof-rewrite-percentage")) {
      settings.put(name, after("", server.command("CONFIG", "GET", name).lines().skip(1)));
    }
    return settings;
  }

  private static String after(String prefix, Stream<String> lines) {
    return lines
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()).strip())
        .findFirst()
        .orElse("unknown");
  }

  @Override
  public OptionalLong pid() {
    return OptionalLong.of(server.pid());
  }

  @Override
  public void fill(long known) throws IOException {
    store.close();
    server.command("FLUSHALL");
    store = newStore();
    new RedisRaw(server.port(), MARKS, bytes).fill(messages, known, FILL_BATCH);
    raw.fill(messages, known, FILL_BATCH);
  }

  @Override
  public List<Contender> contenders(int batch, long known) {
    Contender limit = new Contender(
        Operation.FRESH, Role.LIMIT, batch, () -> raw.limit(() -> messages.fresh(batch)));
    return Stream.concat(
            StoreTasks.leased(store, messages, batch, known).stream(), Stream.of(limit))
        .toList();
  }

  @Override
  public List<Contender> floors() {
    return List.of(new Contender(
        Operation.FRESH, Role.FLOOR, 1, () -> raw.floor(beside.sync(), () -> messages.fresh(1))));
  }

  @Override
  public void close() {
    store.close();
    client.shutdown();
    server.close();
  }
}
