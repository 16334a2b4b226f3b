package io.hapax.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.Collection;

/**
 * Clients of the store's own. While they are not connected they refuse commands at once instead of
 * keeping them for later: a claim that is executed after its caller gave up helps nobody.
 */
final class Clients {

  private static final SocketOptions SOCKET = SocketOptions.builder()
      .connectTimeout(Duration.ofSeconds(5))
      .keepAlive(true)
      .build();

  /**
   * How long a node of a cluster may take to greet and to say what it knows. What the others know
   * is not used before: one that hangs would hide for a minute, which is Lettuce's default, who has
   * taken its place.
   */
  private static final Duration GREETING = Duration.ofSeconds(5);

  private Clients() {}

  static Backend standalone(RedisURI uri) {
    RedisClient client = RedisClient.create(uri);
    client.setOptions(standaloneOptions());
    return new Backend.Standalone(client, true);
  }

  static ClientOptions standaloneOptions() {
    return ClientOptions.builder()
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .socketOptions(SOCKET)
        .build();
  }

  static Backend cluster(Collection<RedisURI> nodes) {
    RedisClusterClient client =
        RedisClusterClient.create(nodes.stream().map(Clients::greetedSoon).toList());
    client.setOptions(clusterOptions());
    return new Backend.Cluster(client, true);
  }

  static ClusterClientOptions clusterOptions() {
    return ClusterClientOptions.builder()
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .socketOptions(SOCKET)
        .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
            .enablePeriodicRefresh(Duration.ofSeconds(30))
            .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
            .build())
        .build();
  }

  static RedisURI greetedSoon(RedisURI node) {
    return node.getTimeout().compareTo(GREETING) <= 0
        ? node
        : RedisURI.builder(node).withTimeout(GREETING).build();
  }
}
