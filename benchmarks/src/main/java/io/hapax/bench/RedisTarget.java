package io.hapax.bench;

import io.hapax.redis.RedisDedupStore;
import io.hapax.redis.RedisDedupStoreBuilder;
import io.hapax.servers.LocalRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Redis. The floor and the limit write to another database of the same server, which is filled with
 * as many marks.
 */
final class RedisTarget implements BenchmarkTarget {

  private static final int FILL_BATCH = 1000;

  private static final long LEAST_EXPECTED = 1_000_000;

  /** Long, so that a busy machine does not end a run. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final int MARKS = 0;
  private static final int BESIDE = 1;

  /** Lays out the marks of a store. */
  private interface Layout {
    RedisDedupStoreBuilder of(RedisDedupStoreBuilder builder, long marks);
  }

  private final LocalRedis server;
  private final Layout layout;
  private final boolean filledFromOutside;
  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> beside;
  private final Messages messages = new Messages(false);
  private final RedisBytes bytes;
  private final RedisRaw raw;
  private RedisDedupStore store;

  private RedisTarget(LocalRedis server, Layout layout, boolean filledFromOutside) {
    this.server = server;
    this.layout = layout;
    this.filledFromOutside = filledFromOutside;
    this.client = RedisClient.create(server.uri());
    this.bytes = learn();
    this.store = newStore(layout, 0);
    this.raw = new RedisRaw(server.port(), BESIDE, bytes);
    this.beside = client.connect(ByteArrayCodec.INSTANCE);
    beside.sync().select(BESIDE);
  }

  /** Keeps DONE marks as strings, which plain commands can write too. */
  static RedisTarget strings() {
    return open((builder, marks) -> builder, true);
  }

  /** Keeps DONE marks in buckets, sized for the number of filled marks. */
  static RedisTarget compact() {
    return open((builder, marks) -> builder.compact(Math.max(LEAST_EXPECTED, marks)), false);
  }

  /** Opens a server. A rewrite of the append-only file during a round is turned off. */
  private static RedisTarget open(Layout layout, boolean filledFromOutside) {
    LocalRedis server =
        LocalRedis.builder().setting("auto-aof-rewrite-percentage", "0").start();
    try {
      return new RedisTarget(server, layout, filledFromOutside);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private RedisDedupStore newStore(Layout withLayout, long marks) {
    return withLayout
        .of(RedisDedupStore.builder(RedisURI.create(server.uri())), marks)
        .retention(Messages.RETENTION)
        .commandTimeout(TIMEOUT)
        .build();
  }

  private RedisBytes learn() {
    try (var connection = client.connect(ByteArrayCodec.INSTANCE);
        RedisDedupStore strings = newStore((builder, marks) -> builder, 0)) {
      return RedisBytes.of(connection.sync(), strings, messages.known(0));
    } finally {
      server.command("FLUSHALL");
    }
  }

  /** Returns the store; another one after each fill. */
  RedisDedupStore store() {
    return store;
  }

  String uri() {
    return server.uri();
  }

  /** Returns a client of the server, which is closed with this target. */
  RedisClient client() {
    return client;
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
  public void fill(long known) throws IOException {
    store.close();
    server.command("FLUSHALL");
    store = newStore(layout, known);
    if (filledFromOutside) {
      new RedisRaw(server.port(), MARKS, bytes).fill(messages, known, FILL_BATCH);
    } else {
      StoreTasks.fill(store, messages, 0, known, FILL_BATCH);
    }
    raw.fill(messages, known, FILL_BATCH);
    awaitDisk();
  }

  /** Waits for the disk. Otherwise the data of the fill would be written during a round. */
  private void awaitDisk() throws IOException {
    Path data = Path.of(after("", server.command("CONFIG", "GET", "dir").lines().skip(1)));
    try (Stream<Path> files = Files.walk(data).filter(Files::isRegularFile)) {
      for (Path file : files.toList()) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.force(true);
        }
      }
    }
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
    return List.of(Contender.of(
        Operation.FRESH, Role.FLOOR, 1, () -> messages.fresh(1), raw.floor(beside.sync())));
  }

  @Override
  public void resetCounters() {
    server.command("CONFIG", "RESETSTAT");
  }

  @Override
  public String counters() {
    return server
        .command("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_"))
        .collect(Collectors.joining("\n    ", "    ", "\n"));
  }

  @Override
  public void close() {
    store.close();
    client.shutdown();
    server.close();
  }
}
