package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import io.hapax.testkit.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Two stores, each with a client of its own, in a namespace that nobody has used. */
final class RedisFixture implements StoreFixture {

  static final Duration RETENTION = Duration.ofDays(8);

  private final List<LocalRedis> servers;
  private final String namespace = "t" + UUID.randomUUID().toString().substring(0, 8);
  private final RedisDedupStore store;
  private final RedisDedupStore other;
  private Duration offset = Duration.ZERO;

  RedisFixture(Supplier<RedisDedupStore.Builder> builders, List<LocalRedis> servers) {
    this.servers = servers;
    this.store = open(builders);
    this.other = open(builders);
  }

  static RedisFixture onSharedServer() {
    return new RedisFixture(
        () -> RedisDedupStore.builder(Servers.uri(Servers.shared())), List.of(Servers.shared()));
  }

  static RedisFixture onSharedCluster() {
    List<LocalRedis> nodes = Servers.cluster().nodes();
    return new RedisFixture(
        () -> RedisDedupStore.clusterBuilder(nodes.stream().map(Servers::uri).toList()), nodes);
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
      each.setClock(offset, Forgetting.at(servers, namespace, offset, RETENTION));
    }
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
