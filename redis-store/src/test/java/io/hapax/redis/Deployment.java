package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.servers.LocalRedisSentinel;
import io.hapax.testkit.fault.FaultProxy;
import io.lettuce.core.RedisURI;
import java.util.List;

/** Where a fixture's marks are, and the ways there. */
sealed interface Deployment extends AutoCloseable {

  /** Those that have marks. */
  List<LocalRedis> servers();

  RedisDedupStore.Builder builder();

  /** A store that comes through a proxy, and what it leaves behind when it is closed. */
  record Way(RedisDedupStore.Builder builder, Runnable atTheEnd) {}

  Way through(FaultProxy proxy);

  @Override
  void close();

  /** One server. */
  record Server(LocalRedis redis) implements Deployment {

    @Override
    public List<LocalRedis> servers() {
      return List.of(redis);
    }

    @Override
    public RedisDedupStore.Builder builder() {
      return RedisDedupStore.builder(Servers.uri(redis));
    }

    @Override
    public Way through(FaultProxy proxy) {
      return new Way(RedisDedupStore.builder(Servers.uri(proxy.port())), () -> {});
    }

    @Override
    public void close() {
      redis.close();
    }
  }

  /** One master that clients are sent to by Sentinels; its replicas have the same marks. */
  record Sentinel(LocalRedisSentinel redis) implements Deployment {

    @Override
    public List<LocalRedis> servers() {
      return List.of(redis.master());
    }

    @Override
    public RedisDedupStore.Builder builder() {
      return RedisDedupStore.builder(uri());
    }

    private RedisURI uri() {
      RedisURI.Builder uri = RedisURI.builder().withSentinelMasterId(LocalRedisSentinel.NAME);
      redis.sentinels().forEach(it -> uri.withSentinel("127.0.0.1", it.port()));
      return uri.build();
    }

    @Override
    public Way through(FaultProxy proxy) {
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
   * @param shards over how many hash tags marks are spread
   */
  record Cluster(LocalRedisCluster cluster, int shards) implements Deployment {

    /** The usual number. */
    static Cluster of(LocalRedisCluster cluster) {
      return new Cluster(cluster, 64);
    }

    @Override
    public List<LocalRedis> servers() {
      return cluster.nodes();
    }

    @Override
    public RedisDedupStore.Builder builder() {
      return RedisDedupStore.clusterBuilder(servers().stream().map(Servers::uri).toList())
          .shards(shards);
    }

    @Override
    public Way through(FaultProxy proxy) {
      Way way = ProxiedClient.toCluster(proxy, servers());
      return new Way(way.builder().shards(shards), way.atTheEnd());
    }

    @Override
    public void close() {
      cluster.close();
    }
  }
}
