package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.servers.LocalRedisSentinel;
import io.hapax.testkit.fault.FaultProxy;
import io.lettuce.core.RedisURI;
import java.util.List;

/** The servers that hold a fixture's marks, and how clients reach them. */
sealed interface Deployment extends AutoCloseable {

  /** Returns the servers that hold marks. */
  List<LocalRedis> servers();

  RedisDedupStoreBuilder builder();

  /** A store that uses a proxy, and the resources to release when it is closed. */
  record Route(RedisDedupStoreBuilder builder, Runnable onClose) {}

  Route through(FaultProxy proxy);

  @Override
  void close();

  /** One server. */
  record Server(LocalRedis redis) implements Deployment {

    @Override
    public List<LocalRedis> servers() {
      return List.of(redis);
    }

    @Override
    public RedisDedupStoreBuilder builder() {
      return RedisDedupStore.builder(Servers.uri(redis));
    }

    @Override
    public Route through(FaultProxy proxy) {
      return new Route(RedisDedupStore.builder(Servers.uri(proxy.port())), () -> {});
    }

    @Override
    public void close() {
      redis.close();
    }
  }

  /** One master that Sentinels name; its replicas hold the same marks. */
  record Sentinel(LocalRedisSentinel redis) implements Deployment {

    @Override
    public List<LocalRedis> servers() {
      return List.of(redis.master());
    }

    @Override
    public RedisDedupStoreBuilder builder() {
      return RedisDedupStore.builder(uri());
    }

    private RedisURI uri() {
      RedisURI.Builder uri = RedisURI.builder().withSentinelMasterId(LocalRedisSentinel.NAME);
      redis.sentinels().forEach(it -> uri.withSentinel("127.0.0.1", it.port()));
      return uri.build();
    }

    @Override
    public Route through(FaultProxy proxy) {
      return ProxiedClient.pastSentinels(proxy, uri(), redis.master());
    }

    @Override
    public void close() {
      redis.close();
    }
  }

  /**
   * A cluster without replicas.
   *
   * @param cluster the cluster
   * @param shards the number of hash tags that marks are spread over
   */
  record Cluster(LocalRedisCluster cluster, int shards) implements Deployment {

    /** Uses the default number of shards. */
    static Cluster of(LocalRedisCluster cluster) {
      return new Cluster(cluster, 64);
    }

    @Override
    public List<LocalRedis> servers() {
      return cluster.nodes();
    }

    @Override
    public RedisDedupStoreBuilder builder() {
      return RedisDedupStore.clusterBuilder(servers().stream().map(Servers::uri).toList())
          .shards(shards);
    }

    @Override
    public Route through(FaultProxy proxy) {
      Route route = ProxiedClient.toCluster(proxy, servers());
      return new Route(route.builder().shards(shards), route.onClose());
    }

    @Override
    public void close() {
      cluster.close();
    }
  }
}
