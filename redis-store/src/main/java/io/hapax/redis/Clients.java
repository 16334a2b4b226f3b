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
 * Creates the clients that the store owns. A disconnected client refuses commands at once instead
 * of queueing them, because a claim that runs after its caller gave up is useless. The number of
 * commands without a reply is limited.
 */
final class Clients {

  private static final Logger LOG = LoggerFactory.getLogger(Clients.class);

  private static final SocketOptions SOCKET = SocketOptions.builder()
      .connectTimeout(Duration.ofSeconds(5))
      .keepAlive(true)
      .build();

  /**
   * The maximum number of commands without a reply on one connection. A command that timed out
   * counts until its reply arrives or the connection is closed. Opening a store sends two commands
   * for each shard. A claim of 500 messages sends four to one server, or at most 64 in a cluster.
   */
  static final int REQUEST_QUEUE = 4 * RedisSettings.MAX_SHARDS;

  /**
   * The time limit for a server's handshake. Lettuce's default is a minute. For that long, a
   * hanging server would block the only reconnecting thread, and a hanging node would hide which
   * node has replaced it.
   */
  private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(5);

  private Clients() {}

  static Backend standalone(RedisURI uri) {
    RedisClient client = RedisClient.create(withConnectTimeout(uri));
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
    RedisClusterClient client = RedisClusterClient.create(
        nodes.stream().map(Clients::withConnectTimeout).toList());
    client.setOptions(clusterOptions());
    return new Backend.Cluster(client, true);
  }

  /** Also sets what has other defaults in Lettuce 6 than in Lettuce 7. */
  @SuppressWarnings("deprecation") // the triggers are on by default in Lettuce 7, not in 6
  static ClusterClientOptions clusterOptions() {
    return ClusterClientOptions.builder()
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(REQUEST_QUEUE)
        .socketOptions(SOCKET)
        .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
            .enablePeriodicRefresh(Duration.ofSeconds(30))
            .enableAllAdaptiveRefreshTriggers()
            .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
            .build())
        .validateClusterNodeMembership(false)
        .build();
  }

  /** Warns if the user's client keeps commands without limit; returns the client. */
  static <C extends AbstractRedisClient> C warnIfUnbounded(C client) {
    warning(client).ifPresent(LOG::warn);
    return client;
  }

  /** Returns a warning if a hanging server can fill the memory of this client. */
  static Optional<String> warning(AbstractRedisClient client) {
    return client.getOptions().getRequestQueueSize() == Integer.MAX_VALUE
        ? Optional.of("requestQueueSize of the given Redis client is not limited: a hanging server"
            + " can fill the memory of this process with commands; set it in the ClientOptions,"
            + " for example to " + REQUEST_QUEUE)
        : Optional.empty();
  }

  /** Returns a copy whose handshake has a short timeout. */
  static RedisURI withConnectTimeout(RedisURI server) {
    if (server.getTimeout().compareTo(HANDSHAKE_TIMEOUT) <= 0) {
      return server;
    }
    RedisURI.Builder copy = RedisURI.builder(server).withTimeout(HANDSHAKE_TIMEOUT);
    if (server.getSentinelMasterId() != null) { // the builder does not copy the Sentinels
      copy.withSentinelMasterId(server.getSentinelMasterId());
      server.getSentinels().forEach(sentinel -> copy.withSentinel(withConnectTimeout(sentinel)));
    }
    return copy.build();
  }
}
