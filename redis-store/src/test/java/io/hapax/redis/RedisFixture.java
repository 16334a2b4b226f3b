package io.hapax.redis;

import io.hapax.mark.Nonce;
import io.hapax.servers.LocalRedis;
import io.hapax.testkit.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Two stores, each with a client of its own, in a namespace that nobody has used. */
final class RedisFixture implements StoreFixture {

  static final Duration RETENTION = Duration.ofDays(8);
  private static final long EXPECTED = 10_000;

  private final List<LocalRedis> servers;
  private final String namespace = "t" + UUID.randomUUID().toString().substring(0, 8);
  private final RedisDedupStore store;
  private final RedisDedupStore other;
  private final boolean compact;
  private Duration offset = Duration.ZERO;

  private RedisFixture(
      Supplier<RedisDedupStore.Builder> builders, List<LocalRedis> servers, boolean compact) {
    this.servers = servers;
    this.compact = compact;
    this.store = open(builders);
    this.other = open(builders);
  }

  RedisFixture(Supplier<RedisDedupStore.Builder> builders, List<LocalRedis> servers) {
    this(builders, servers, false);
  }

  /** The same servers, the marks in buckets. */
  static RedisFixture compact(
      Supplier<RedisDedupStore.Builder> builders, List<LocalRedis> servers) {
    return new RedisFixture(() -> builders.get().compact(EXPECTED), servers, true);
  }

  static RedisFixture onSharedServer() {
    return new RedisFixture(RedisFixture::onServer, List.of(Servers.shared()));
  }

  static RedisFixture compactOnSharedServer() {
    return compact(RedisFixture::onServer, List.of(Servers.shared()));
  }

  static RedisFixture onSharedCluster() {
    return new RedisFixture(RedisFixture::onCluster, Servers.cluster().nodes());
  }

  static RedisFixture compactOnSharedCluster() {
    return compact(RedisFixture::onCluster, Servers.cluster().nodes());
  }

  private static RedisDedupStore.Builder onServer() {
    return RedisDedupStore.builder(Servers.uri(Servers.shared()));
  }

  private static RedisDedupStore.Builder onCluster() {
    return RedisDedupStore.clusterBuilder(
        Servers.cluster().nodes().stream().map(Servers::uri).toList());
  }

  private RedisDedupStore open(Supplier<RedisDedupStore.Builder> builders) {
    return builders.get().namespace(namespace).retention(RETENTION).build();
  }

  @Override
  public RedisDedupStore store() {
    return store;
  }

  @Override
  public RedisDedupStore other() {
    return other;
  }

  @Override
  public void advance(Duration by) {
    offset = offset.plus(by);
    for (RedisDedupStore each : List.of(store, other)) {
      each.setClock(offset);
      if (!compact) {
        each.setForgetting(Forgetting.at(servers, namespace, offset, RETENTION));
      }
    }
  }

  /** The last 64 bits, or the last 32 in a bucket. */
  @Override
  public Nonce keptWhenDone(Nonce nonce) {
    return new Nonce(0, compact ? nonce.low() & 0xFFFF_FFFFL : nonce.low());
  }

  @Override
  public Duration retention() {
    return RETENTION;
  }

  @Override
  public void close() {
    store.close();
    other.close();
  }
}
