package io.hapax.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Notices that a replica of a cluster has taken its master's place, as soon as the client knows it.
 */
final class Promotions implements Watched.Changes {

  private final StatefulRedisClusterConnection<byte[], byte[]> cluster;
  private final Map<String, Boolean> masterById = new HashMap<>();

  Promotions(StatefulRedisClusterConnection<byte[], byte[]> cluster) {
    this.cluster = cluster;
    var unused = sinceLastTime();
  }

  @Override
  public synchronized List<Watched.Change> sinceLastTime() {
    List<String> promoted = cluster.getPartitions().stream()
        .filter(node -> {
          boolean master = node.is(RedisClusterNode.NodeFlag.UPSTREAM);
          return Boolean.FALSE.equals(masterById.put(node.getNodeId(), master)) && master;
        })
        .map(RedisClusterNode::getUri)
        .map(uri -> address(uri))
        .toList();
    return promoted.isEmpty()
        ? List.of()
        : List.of(new Watched.Change(
            promoted.stream().collect(Collectors.joining(", ", "shards of ", "")),
            "a replica has taken its master's place"));
  }

  private static String address(RedisURI uri) {
    return uri.getHost() + ':' + uri.getPort();
  }
}
