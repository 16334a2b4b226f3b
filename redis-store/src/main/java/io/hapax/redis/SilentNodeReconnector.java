package io.hapax.redis;

import io.lettuce.core.CommandListenerWriter;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandExpiryWriter;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.DefaultEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes silent connections of a cluster's client whose node answers on other connections; Lettuce
 * then reconnects. A firewall that has forgotten a connection does not break it. Without this
 * class, commands to that node would time out until the operating system gives up, after a quarter
 * of an hour on Linux.
 *
 * <p>A connection to a node that answers on no connection stays open, because the node may recover.
 * Lettuce itself finds out which node has replaced it.
 */
final class SilentNodeReconnector {

  private static final Logger LOG = LoggerFactory.getLogger(SilentNodeReconnector.class);

  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<byte[], byte[]> cluster;
  private final Duration timeout;

  /**
   * The nodes under examination: one examination for each, because a hanging node accepts
   * connections without completing the handshake.
   */
  private final Set<RedisURI> examined = ConcurrentHashMap.newKeySet();

  SilentNodeReconnector(
      RedisClusterClient client,
      StatefulRedisClusterConnection<byte[], byte[]> cluster,
      Duration timeout) {
    this.client = client;
    this.cluster = cluster;
    this.timeout = timeout;
  }

  /** Reports commands that got no answer in time. Returns at once. */
  void suspect(List<RedisRequest> unanswered) {
    unanswered.stream()
        .map(this::master)
        .flatMap(Optional::stream)
        .distinct()
        .filter(examined::add)
        .forEach(node ->
            RenewableConnection.inBackground(() -> examine(node), () -> examined.remove(node)));
  }

  private Optional<RedisURI> master(RedisRequest request) {
    return Optional.ofNullable(request.command().getArgs().getFirstEncodedKey())
        .map(key -> cluster.getPartitions().getMasterBySlot(SlotHash.getSlot(key)))
        .map(RedisClusterNode::getUri);
  }

  private void examine(RedisURI node) {
    try {
      CompletableFuture<StatefulRedisConnection<byte[], byte[]>> suspected =
          Backend.Cluster.connection(cluster, node);
      if (suspected.isDone() && answersOthers(node) && isSilent(suspected.join())) {
        LOG.info("Reconnecting to Redis at {}: the connection was silent", name(node));
        disconnect(suspected.join());
      }
    } catch (RuntimeException e) { // also if the client or the connection is being closed
      LOG.debug("Redis at {} cannot be examined; its connection stays open", name(node), e);
    } finally {
      examined.remove(node);
    }
  }

  private static String name(RedisURI node) {
    return node.getHost() + ':' + node.getPort();
  }

  /** Returns whether a ping times out. A broken connection fails at once instead. */
  private boolean isSilent(StatefulRedisConnection<byte[], byte[]> connection) {
    PendingReplies question =
        Pipeline.over(connection, timeout).sendAsync(List.of(RedisRequest.of(CommandType.PING)));
    return question.collect().get(0) instanceof Reply.Failure failure && failure.timedOut();
  }

  /**
   * Returns whether the node accepts a new connection; that includes its answer to the handshake.
   */
  private boolean answersOthers(RedisURI node) {
    try (var fresh = client.connect(ByteArrayCodec.INSTANCE)) {
      return fresh.getConnection(node.getHost(), node.getPort()).isOpen();
    } catch (RedisException e) {
      LOG.debug("Redis at {} does not answer", name(node), e);
      return false;
    }
  }

  /**
   * Disconnects without closing. Lettuce has no public way to renew one connection of a cluster.
   */
  private static void disconnect(StatefulConnection<byte[], byte[]> connection) {
    if (connection instanceof RedisChannelHandler<?, ?> handler
        && handler.getOptions().isAutoReconnect()
        && endpoint(handler.getChannelWriter()) instanceof DefaultEndpoint endpoint) {
      endpoint.disconnect();
    }
  }

  /** Unwraps by the wrappers' own types: Lettuce 6 has no common one. */
  private static RedisChannelWriter endpoint(RedisChannelWriter writer) {
    if (writer instanceof CommandListenerWriter listened) {
      return endpoint(listened.getDelegate());
    }
    if (writer instanceof CommandExpiryWriter timed) {
      return endpoint(timed.getDelegate());
    }
    return writer;
  }
}
