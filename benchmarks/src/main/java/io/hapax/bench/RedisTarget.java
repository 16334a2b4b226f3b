package io.hapax.bench;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
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
import java.util.ArrayList;
import java.util.List;
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

  private final LocalRedis server;

  /** Whether DONE marks are in buckets, and not strings, which plain commands can write too. */
  private final boolean compact;

  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> beside;
  private final Messages messages = new Messages(false);
  private final RedisRaw raw;
  private RedisDedupStore store;

  private RedisTarget(LocalRedis server, boolean compact) {
    this.server = server;
    this.compact = compact;
    this.client = RedisClient.create(server.uri());
    this.beside = client.connect(ByteArrayCodec.INSTANCE);
    try (RedisDedupStore strings = builder().build()) {
      this.raw = RedisRaw.of(server.port(), beside.sync(), strings, messages.known(0));
    }
    server.command("FLUSHALL");
    beside.sync().select(BESIDE);
    this.store = newStore(0);
  }

  /** Starts a server. A rewrite of the append-only file during a round is turned off. */
  static RedisTarget start(boolean compact) {
    LocalRedis server =
        LocalRedis.builder().setting("auto-aof-rewrite-percentage", "0").start();
    try {
      return new RedisTarget(server, compact);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
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

  /** Returns a client of the server, which is closed with this target. */
  RedisClient client() {
    return client;
  }

  @Override
  public String settings() {
    return Stream.of("appendonly", "appendfsync", "auto-aof-rewrite-percentage")
        .map(name -> ", " + name + ' ' + setting(name))
        .collect(Collectors.joining(
            "",
            "Redis " + after("redis_version:", server.command("INFO", "server").lines()),
            ""));
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
      StoreTasks.fill(store, messages, 0, known, FILL_BATCH);
    } else {
      raw.fill(MARKS, messages, known, FILL_BATCH);
    }
    raw.fill(BESIDE, messages, known, FILL_BATCH);
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
  public List<Contender> contenders(int batch, long known) {
    List<Contender> all = new ArrayList<>(StoreTasks.leased(store, messages, batch, known));
    all.add(new Contender(
        Operation.FRESH, Role.LIMIT, batch, () -> messages.fresh(batch), () -> raw.limit(BESIDE)));
    return all;
  }

  @Override
  public List<Contender> floors() {
    return List.of(Contender.of(
        Operation.FRESH, Role.FLOOR, 1, () -> messages.fresh(1), raw.floor(beside.sync())));
  }

  @Override
  public void close() {
    store.close();
    client.shutdown();
    server.close();
  }
}
