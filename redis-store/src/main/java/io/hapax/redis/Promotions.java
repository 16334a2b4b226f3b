package io.hapax.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Detects that a replica of a cluster has become the master, as soon as the client knows it. */
final class Promotions implements ServerChangeWatcher.Changes {

  private final StatefulRedisClusterConnection<byte[], byte[]> cluster;
  private final Map<String, Boolean> masterById = new ConcurrentHashMap<>();

  Promotions(StatefulRedisClusterConnection<byte[], byte[]> cluster) {
    this.cluster = cluster;
    detect(first -> {});
  }

  @Override
  public boolean mayHaveChanged() {
    return cluster.getPartitions().stream()
        .anyMatch(
            node -> !Boolean.valueOf(isMaster(node)).equals(masterById.get(node.getNodeId())));
  }

  @Override
  public void detect(Consumer<ServerChangeWatcher.Change> detected) {
    List<RedisClusterNode> nodes = cluster.getPartitions().stream().toList();
    List<RedisURI> promoted = nodes.stream()
        .filter(node -> isMaster(node) && Boolean.FALSE.equals(masterById.get(node.getNodeId())))
        .map(RedisClusterNode::getUri)
        .toList();
    if (!promoted.isEmpty()) {
      detected.accept(ServerChangeWatcher.Change.latest(
          promoted.stream()
              .map(uri -> uri.getHost() + ':' + uri.getPort())
              .collect(Collectors.joining(", ", "shards of ", "")),
          "a replica has become the master"));
    }
    nodes.forEach(node -> masterById.put(node.getNodeId(), isMaster(node)));
  }

  private static boolean isMaster(RedisClusterNode node) {
    return node.is(RedisClusterNode.NodeFlag.UPSTREAM);
  }
}
