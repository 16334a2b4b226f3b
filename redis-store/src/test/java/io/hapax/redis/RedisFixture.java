package io.hapax.redis;

import io.hapax.mark.Nonce;
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
  private static final long EXPECTED = 10_000;

  private final List<LocalRedis> servers;
  private final String namespace = "t" + UUID.randomUUID().toString().substring(0, 8);
  private final RedisDedupStore store;
  private final RedisDedupStore other;
  private final boolean compact;
  private final List<RedisDedupStore> further = new ArrayList<>();
  private Runnable atTheEnd = () -> {};
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

  /** Closes the server, too. */
  static RedisFixture onServerOfItsOwn(LocalRedis server) {
    return closing(
        server,
        new RedisFixture(() -> RedisDedupStore.builder(Servers.uri(server)), List.of(server)));
  }

  static RedisFixture compactOnServerOfItsOwn(LocalRedis server) {
    return closing(
        server, compact(() -> RedisDedupStore.builder(Servers.uri(server)), List.of(server)));
  }

  private static RedisFixture closing(LocalRedis server, RedisFixture fixture) {
    fixture.atTheEnd = server::close;
    return fixture;
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
  public int port() {
    return servers.get(0).port();
  }

  @Override
  public RedisDedupStore through(int port) {
    RedisDedupStore.Builder builder =
        RedisDedupStore.builder(Servers.uri(port)).commandTimeout(Duration.ofSeconds(1));
    RedisDedupStore opened = open(() -> compact ? builder.compact(EXPECTED) : builder);
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
    opened.setClock(offset);
    if (!compact) {
      opened.setForgetting(Forgetting.at(servers, namespace, offset, RETENTION));
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
    opened().forEach(RedisDedupStore::close);
    atTheEnd.run();
  }
}
