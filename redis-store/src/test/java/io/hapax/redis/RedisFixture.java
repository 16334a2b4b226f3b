package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import io.hapax.testkit.RemoteStoreFixture;
import io.hapax.testkit.RestartableStoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Two stores, each with a client of its own, in a namespace that nobody has used. */
final class RedisFixture implements RemoteStoreFixture, RestartableStoreFixture {

  static final Duration RETENTION = Duration.ofDays(8);

  private final List<LocalRedis> servers;
  private final String namespace = "t" + UUID.randomUUID().toString().substring(0, 8);
  private final RedisDedupStore store;
  private final RedisDedupStore other;
  private final List<RedisDedupStore> further = new ArrayList<>();
  private Runnable atTheEnd = () -> {};
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

  /** Closes the server, too. */
  static RedisFixture onServerOfItsOwn(LocalRedis server) {
    RedisFixture fixture =
        new RedisFixture(() -> RedisDedupStore.builder(Servers.uri(server)), List.of(server));
    fixture.atTheEnd = server::close;
    return fixture;
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
  public int port() {
    return servers.get(0).port();
  }

  @Override
  public RedisDedupStore through(int port) {
    RedisDedupStore opened = open(
        () -> RedisDedupStore.builder(Servers.uri(port)).commandTimeout(Duration.ofSeconds(1)));
    further.add(opened);
    setClock(opened);
    return opened;
  }

  @Override
  public void killServer() {
    servers.get(0).kill();
  }

  @Override
  public void restartServer() {
    servers.get(0).restart();
  }

  @Override
  public void advance(Duration by) {
    offset = offset.plus(by);
    opened().forEach(this::setClock);
  }

  private Stream<RedisDedupStore> opened() {
    return Stream.concat(Stream.of(store, other), further.stream());
  }

  private void setClock(RedisDedupStore opened) {
    opened.setClock(offset, Forgetting.at(servers, namespace, offset, RETENTION));
  }

  @Override
  public Duration retention() {
    return RETENTION;
  }

  @Override
  public void close() {
    opened().forEach(RedisDedupStore::close);
    atTheEnd.run();
  }
}
