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
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where connections come from. */
sealed interface Backend {

  Logger LOG = LoggerFactory.getLogger(Backend.class);

  /** How many shards there are unless the user says otherwise. */
  int usualShards();

  /** A connection of the store's own. */
  Wire connect(Duration timeout);

  /**
   * A master, to ask how it is.
   *
   * @param name which of them, for a message; empty if there is one only
   * @param wire a connection that verbs use, which is closed with the wire; empty if the master
   *     cannot be reached
   */
  record Master(String name, Optional<Wire> wire) {}

  /** All masters that are known. */
  List<Master> masters(Wire wire, Duration timeout);

  /** What changes about the servers that a wire leads to. */
  Watched.Changes changes(Wire wire, Duration timeout);

  /** Sends on connections of its own, and answers when enough replicas have what was written. */
  Sender awaitingReplicas(ReplicaFence fence, Duration timeout);

  /** Ends the client if the store made it. */
  void shutdown();

  /** One server, or the master that its sentinels name. */
  record Standalone(RedisClient client, boolean owned) implements Backend {

    @Override
    public int usualShards() {
      return 1;
    }

    @Override
    public Wire connect(Duration timeout) {
      return new Wire(Line.renewable(() -> client.connect(ByteArrayCodec.INSTANCE)), true, timeout);
    }

    @Override
    public Watched.Changes changes(Wire wire, Duration timeout) {
      return new RunIds(wire, timeout);
    }

    @Override
    public Sender awaitingReplicas(ReplicaFence fence, Duration timeout) {
      return new Replicated(connect(timeout), fence);
    }

    @Override
    public List<Master> masters(Wire wire, Duration timeout) {
      return List.of(new Master("", Optional.of(wire)));
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
    public int usualShards() {
      return 64;
    }

    @Override
    public Wire connect(Duration timeout) {
      StatefulRedisClusterConnection<byte[], byte[]> cluster =
          client.connect(ByteArrayCodec.INSTANCE);
      SilentNodes nodes = new SilentNodes(client, cluster, timeout);
      return new Wire(Line.ofNodes(cluster, nodes), false, timeout);
    }

    @Override
    public Watched.Changes changes(Wire wire, Duration timeout) {
      Promotions promotions = new Promotions(clusterOf(wire));
      NodeRunIds restarts = NodeRunIds.of(client, clusterOf(wire), timeout);
      return new Watched.Changes() {
        @Override
        public boolean hasNews() {
          return promotions.hasNews() || restarts.hasNews();
        }

        @Override
        public void find(Consumer<Watched.Change> found) {
          promotions.find(found);
          restarts.find(found);
        }

        @Override
        public void close() {
          restarts.close();
        }
      };
    }

    private static StatefulRedisClusterConnection<byte[], byte[]> clusterOf(Wire wire) {
      return (StatefulRedisClusterConnection<byte[], byte[]>) wire.connection();
    }

    @Override
    public Sender awaitingReplicas(ReplicaFence fence, Duration timeout) {
      return new ReplicatedCluster(client, client.connect(ByteArrayCodec.INSTANCE), fence, timeout);
    }

    /**
     * What is not connected refuses commands, so every node is connected to before the first; all
     * at once, because one that hangs takes connections and does not greet.
     */
    @Override
    public List<Master> masters(Wire wire, Duration timeout) {
      StatefulRedisClusterConnection<byte[], byte[]> cluster = clusterOf(wire);
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
              .map(it -> new Wire(Line.fixed(it), true, timeout)))));
      return List.copyOf(masters);
    }

    /** A node that cannot be reached at all is told by the future, too. */
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
        return Optional.empty(); // it is warned of
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
