package io.hapax.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;

/** Where connections come from. */
sealed interface Backend {

  /** How many shards there are unless the user says otherwise. */
  int usualShards();

  /** A connection of the store's own. */
  Wire connect(Duration timeout);

  /** One connection to each master, to ask it how it is; closed with the wire they come from. */
  List<Wire> masters(Wire wire, Duration timeout);

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
      return new Wire(client.connect(ByteArrayCodec.INSTANCE), true, timeout);
    }

    @Override
    public List<Wire> masters(Wire wire, Duration timeout) {
      return List.of(wire);
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
      return new Wire(client.connect(ByteArrayCodec.INSTANCE), false, timeout);
    }

    @Override
    public List<Wire> masters(Wire wire, Duration timeout) {
      StatefulConnection<byte[], byte[]> connection = wire.connection();
      StatefulRedisClusterConnection<byte[], byte[]> cluster =
          (StatefulRedisClusterConnection<byte[], byte[]>) connection;
      return cluster.getPartitions().stream()
          .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM))
          .map(node -> new Wire(cluster.getConnection(node.getNodeId()), true, timeout))
          .toList();
    }

    @Override
    public void shutdown() {
      if (owned) {
        client.shutdown();
      }
    }
  }
}
