package io.hapax.bench;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
import io.hapax.bench.Contender.Task;
import io.hapax.redis.RedisDedupStore;
import io.hapax.redis.RedisDedupStoreBuilder;
import io.hapax.servers.LocalRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Redis. The floor and the limit write to another database of the same server, which is filled with
 * as many marks.
 */
final class RedisTarget implements BenchmarkTarget {

  private static final long LEAST_EXPECTED = 1_000_000;

  /** Long, so that a busy machine does not end a run. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final int MARKS = 0;
  private static final int BESIDE = 1;

  /** A rewrite of the append-only file during a round is turned off. */
  private final LocalRedis server =
      LocalRedis.builder().setting("auto-aof-rewrite-percentage", "0").start();

  /** Whether DONE marks are in buckets, and not strings, which plain commands can write too. */
  private final boolean compact;

  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> beside;
  private final RedisRaw raw;
  private RedisDedupStore store;

  RedisTarget(boolean compact) {
    this.compact = compact;
    this.client = RedisClient.create(server.uri());
    this.beside = client.connect(ByteArrayCodec.INSTANCE);
    try (RedisDedupStore strings = builder().build()) {
      this.raw = new RedisRaw(server.port(), beside.sync(), strings);
    }
    server.command("FLUSHALL");
    beside.sync().select(BESIDE);
    this.store = newStore(0);
  }

  private RedisDedupStoreBuilder builder() {
    return RedisDedupStore.builder(RedisURI.create(server.uri()))
        .retention(Messages.RETENTION)
        .commandTimeout(TIMEOUT);
  }

  private RedisDedupStore newStore(long marks) {
    return compact
        ? builder().compact(Math.max(LEAST_EXPECTED, marks)).build()
        : builder().build();
  }

  @Override
  public RedisDedupStore store() {
    return store;
  }

  String uri() {
    return server.uri();
  }

  /**
   * Returns a usual check that users write: claims an id, which must be fresh, with a command, and
   * marks it with another.
   */
  Consumer<String> byHand() {
    SetArgs claim = SetArgs.Builder.nx().px(Duration.ofSeconds(30));
    SetArgs keep = SetArgs.Builder.px(Messages.RETENTION);
    RedisCommands<String, String> redis = client.connect().sync();
    return id -> {
      if (redis.set(id, "PROCESSING", claim) == null) {
        throw new IllegalStateException("a fresh id is known: " + id);
      }
      redis.set(id, "DONE", keep);
    };
  }

  @Override
  public String settings() {
    StringBuilder text = new StringBuilder("Redis ")
        .append(after("redis_version:", server.command("INFO", "server").lines()));
    for (String name : List.of("appendonly", "appendfsync", "auto-aof-rewrite-percentage")) {
      text.append(", ").append(name).append(' ').append(setting(name));
    }
    return text.toString();
  }

  private String setting(String name) {
    return after("", server.command("CONFIG", "GET", name).lines().skip(1));
  }

  private static String after(String prefix, Stream<String> lines) {
    return lines
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()).strip())
        .findFirst()
        .orElse("unknown");
  }

  @Override
  public void fill(long known) throws IOException {
    store.close();
    server.command("FLUSHALL");
    store = newStore(known);
    if (compact) {
      StoreTasks.fill(store, known);
    } else {
      raw.fill(MARKS, known);
    }
    raw.fill(BESIDE, known);
    awaitDisk();
  }

  /** Waits for the disk. Otherwise the data of the fill would be written during a round. */
  private void awaitDisk() throws IOException {
    Path data = Path.of(setting("dir"));
    try (Stream<Path> files = Files.walk(data).filter(Files::isRegularFile)) {
      for (Path file : files.toList()) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.force(true);
        }
      }
    }
  }

  @Override
  public Map<Operation, Supplier<Task>> tasks(Role role) {
    return switch (role) {
      case HAPAX -> StoreTasks.leased(store);
      case FLOOR -> Map.of(Operation.FRESH, () -> raw.floor(beside.sync()));
      case LIMIT -> Map.of(Operation.FRESH, () -> raw.limit(BESIDE));
    };
  }

  @Override
  public void close() {
    store.close();
    client.shutdown();
    server.close();
  }
}
