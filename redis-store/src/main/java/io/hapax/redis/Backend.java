package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens connections to one server, or to a cluster. */
sealed interface Backend {

  Logger LOG = LoggerFactory.getLogger(Backend.class);

  int defaultShards();

  Pipeline connect(Duration timeout);

  /**
   * A master whose settings are checked. The name is empty if there is only one, the pipeline,
   * which the store's pipeline closes, if the master cannot be reached.
   */
  record Master(String name, Optional<Pipeline> pipeline) {}

  List<Master> masters(Pipeline pipeline, Duration timeout);

  List<ServerChangeWatcher.Changes> changes(Pipeline pipeline, Duration timeout);

  /**
   * Opens a sender with connections of its own, which returns when enough replicas have the writes.
   */
  Sender replicatedSender(ReplicaWait replicaWait, Duration timeout);

  /** Shuts the client down if the store created it. */
  void shutdown();

  /** One server, or the master that Sentinels name. */
  record Standalone(RedisClient client, boolean owned) implements Backend {

    @Override
    public int defaultShards() {
      return 1;
    }

    @Override
    public Pipeline connect(Duration timeout) {
      return new Pipeline(
          RenewableConnection.renewable(() -> client.connect(ByteArrayCodec.INSTANCE)),
          true,
          timeout);
    }

    @Override
    public List<ServerChangeWatcher.Changes> changes(Pipeline pipeline, Duration timeout) {
      return List.of(new ServerRestarts(pipeline, timeout));
    }

    @Override
    public Sender replicatedSender(ReplicaWait replicaWait, Duration timeout) {
      return replicaWait.over(connect(timeout));
    }

    @Override
    public List<Master> masters(Pipeline pipeline, Duration timeout) {
      return List.of(new Master("", Optional.of(pipeline)));
    }

    @Override
    public void shutdown() {
      if (owned) {
        client.shutdown();
      }
    }
  }

  /** A cluster. */
  record Cluster(RedisClusterClient client, boolean owned) implements Backend {

    @Override
    public int defaultShards() {
      return 64;
    }

    @Override
    public Pipeline connect(Duration timeout) {
      StatefulRedisClusterConnection<byte[], byte[]> cluster =
          client.connect(ByteArrayCodec.INSTANCE);
      SilentNodeReconnector nodes = new SilentNodeReconnector(client, cluster, timeout);
      return new Pipeline(RenewableConnection.ofNodes(cluster, nodes), false, timeout);
    }

    @Override
    public List<ServerChangeWatcher.Changes> changes(Pipeline pipeline, Duration timeout) {
      return List.of(
          new Promotions(clusterOf(pipeline)),
          NodeRestarts.of(client, clusterOf(pipeline), timeout));
    }

    private static StatefulRedisClusterConnection<byte[], byte[]> clusterOf(Pipeline pipeline) {
      return (StatefulRedisClusterConnection<byte[], byte[]>) pipeline.connection();
    }

    @Override
    public Sender replicatedSender(ReplicaWait replicaWait, Duration timeout) {
      return new ReplicatedClusterSender(
          client, client.connect(ByteArrayCodec.INSTANCE), replicaWait, timeout);
    }

    /**
     * Connects to all nodes before it returns, because a client that is not connected refuses
     * commands. Connects in parallel, because a hanging node accepts connections without completing
     * the handshake.
     */
    @Override
    public List<Master> masters(Pipeline pipeline, Duration timeout) {
      StatefulRedisClusterConnection<byte[], byte[]> cluster = clusterOf(pipeline);
      long deadline = System.nanoTime() + timeout.toNanos();
      Map<RedisURI, CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> connecting =
          new LinkedHashMap<>();
      cluster.getPartitions().stream()
          .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM))
          .map(RedisClusterNode::getUri)
          .forEach(uri -> connecting.put(uri, connection(cluster, uri)));
      List<Master> masters = new ArrayList<>();
      connecting.forEach((uri, connection) -> masters.add(new Master(
          uri.getHost() + ':' + uri.getPort() + ": ",
          connected(connection, deadline - System.nanoTime())
              .map(it -> Pipeline.over(it, timeout)))));
      return List.copyOf(masters);
    }

    /** Connects to a node. A node that cannot be reached at all also fails the future. */
    static CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection(
        StatefulRedisClusterConnection<byte[], byte[]> cluster, RedisURI uri) {
      try {
        return cluster.getConnectionAsync(uri.getHost(), uri.getPort());
      } catch (RedisException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    private static <C> Optional<C> connected(CompletableFuture<C> connection, long nanos) {
      try {
        return Optional.of(connection.get(nanos, TimeUnit.NANOSECONDS));
      } catch (ExecutionException | TimeoutException e) {
        LOG.debug("A Redis node cannot be reached", e);
        return Optional.empty(); // the caller warns
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException("interrupted while connecting to Redis", e);
      }
    }

    @Override
    public void shutdown() {
      if (owned) {
        client.shutdown();
      }
    }
  }
}
