package io.hapax.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the clients that belong to a store. While they are not connected they refuse commands at
 * once instead of keeping them for later: a claim that is executed after its caller gave up has no
 * use. Of commands that a server does not answer they keep a limited number.
 */
final class Clients {

  private static final Logger LOG = LoggerFactory.getLogger(Clients.class);

  private static final SocketOptions SOCKET = SocketOptions.builder()
      .connectTimeout(Duration.ofSeconds(5))
      .keepAlive(true)
      .build();

  /**
   * How many commands one connection keeps until they are answered; a command that timed out counts
   * until its reply has come or the connection is closed. One call needs two for each shard at
   * most, when the store is opened; a claim of 500 messages needs four on one server, and at most
   * 64 in a cluster.
   */
  static final int REQUEST_QUEUE = 4 * RedisSettings.MAX_SHARDS;

  /**
   * How long a server may take to greet. Lettuce's default is a minute: a server that hangs would
   * hold the one thread that connects anew for that long, and a node of a cluster would hide which
   * other node has taken its place.
   */
  private static final Duration GREETING = Duration.ofSeconds(5);

  private Clients() {}

  static Backend standalone(RedisURI uri) {
    RedisClient client = RedisClient.create(greetedSoon(uri));
    client.setOptions(standaloneOptions());
    return new Backend.Standalone(client, true);
  }

  static ClientOptions standaloneOptions() {
    return ClientOptions.builder()
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(REQUEST_QUEUE)
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
        .requestQueueSize(REQUEST_QUEUE)
        .socketOptions(SOCKET)
        .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
            .enablePeriodicRefresh(Duration.ofSeconds(30))
            .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
            .build())
        .build();
  }

  /** Warns of a client of the user's, and returns it. */
  static <C extends AbstractRedisClient> C warned(C client) {
    warning(client).ifPresent(LOG::warn);
    return client;
  }

  /** What is wrong with a client whose memory a server that hangs would fill. */
  static Optional<String> warning(AbstractRedisClient client) {
    return client.getOptions().getRequestQueueSize() == Integer.MAX_VALUE
        ? Optional.of("requestQueueSize of the given Redis client is not limited: a server that"
            + " hangs can fill the memory of this process with commands; set it in the"
            + " ClientOptions, for example to " + REQUEST_QUEUE)
        : Optional.empty();
  }

  /** A copy that waits for the greeting of a server no longer than some seconds. */
  static RedisURI greetedSoon(RedisURI server) {
    if (server.getTimeout().compareTo(GREETING) <= 0) {
      return server;
    }
    RedisURI.Builder copy = RedisURI.builder(server).withTimeout(GREETING);
    if (server.getSentinelMasterId() != null) { // the builder leaves the Sentinels out
      copy.withSentinelMasterId(server.getSentinelMasterId());
      server.getSentinels().forEach(sentinel -> copy.withSentinel(greetedSoon(sentinel)));
    }
    return copy.build();
  }
}
