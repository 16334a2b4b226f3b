package io.hapax.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
      return new RunIds(wire);
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
      return new Wire(Line.fixed(client.connect(ByteArrayCodec.INSTANCE)), false, timeout);
    }

    @Override
    public Watched.Changes changes(Wire wire, Duration timeout) {
      Promotions promotions = new Promotions(clusterOf(wire));
      NodeRunIds restarts = NodeRunIds.of(client, clusterOf(wire), timeout);
      return new Watched.Changes() {
        @Override
        public List<Watched.Change> sinceLastTime() {
          return Stream.of(promotions, restarts)
              .flatMap(changes -> changes.sinceLastTime().stream())
              .toList();
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

    /** What is not connected refuses commands, so every node is connected to before the first. */
    @Override
    public List<Master> masters(Wire wire, Duration timeout) {
      StatefulRedisClusterConnection<byte[], byte[]> cluster = clusterOf(wire);
      return cluster.getPartitions().stream()
          .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM))
          .map(RedisClusterNode::getUri)
          .map(uri -> new Master(
              uri.getHost() + ':' + uri.getPort() + ": ", connection(cluster, uri, timeout)))
          .toList();
    }

    private static Optional<Wire> connection(
        StatefulRedisClusterConnection<byte[], byte[]> cluster, RedisURI uri, Duration timeout) {
      try {
        return Optional.of(new Wire(
            Line.fixed(cluster.getConnection(uri.getHost(), uri.getPort())), true, timeout));
      } catch (RedisException e) {
        LOG.debug("Redis node {}:{} cannot be reached", uri.getHost(), uri.getPort(), e);
        return Optional.empty(); // it is warned of
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
