package io.hapax.redis;

import io.lettuce.core.Delegating;
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
 * Ends the connections of a cluster's client on which nothing comes back any more although their
 * node answers others; Lettuce then makes them anew. A firewall that has forgotten a connection
 * does not break it: without this the commands to that node would time out until the operating
 * system gives up, which takes Linux a quarter of an hour.
 *
 * <p>One to a node that answers nobody is kept, because it may answer again: who has taken its
 * place is found out by the client itself.
 */
final class SilentNodes {

  private static final Logger LOG = LoggerFactory.getLogger(SilentNodes.class);

  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<byte[], byte[]> cluster;
  private final Duration timeout;

  /** One at a time for each: a node that hangs takes connections and does not greet. */
  private final Set<RedisURI> examined = ConcurrentHashMap.newKeySet();

  /**
   * For the connections of one cluster connection.
   *
   * @param client asks the nodes on other connections
   * @param cluster has the connections
   * @param timeout how long a reply may take
   */
  SilentNodes(
      RedisClusterClient client,
      StatefulRedisClusterConnection<byte[], byte[]> cluster,
      Duration timeout) {
    this.client = client;
    this.cluster = cluster;
    this.timeout = timeout;
  }

  /** Says that these commands were not answered in time. Returns at once. */
  void suspect(List<Request> unanswered) {
    unanswered.stream()
        .map(this::master)
        .flatMap(Optional::stream)
        .distinct()
        .filter(examined::add)
        .forEach(this::examineSoon);
  }

  private Optional<RedisURI> master(Request request) {
    return Optional.ofNullable(request.command().getArgs().getFirstEncodedKey())
        .map(key -> cluster.getPartitions().getMasterBySlot(SlotHash.getSlot(key)))
        .map(RedisClusterNode::getUri);
  }

  private void examineSoon(RedisURI node) {
    Thread thread = new Thread(() -> examine(node), "hapax-redis-reconnect");
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError noThread) { // the next time-out asks again
      examined.remove(node);
    }
  }

  private void examine(RedisURI node) {
    try {
      CompletableFuture<StatefulRedisConnection<byte[], byte[]>> suspected =
          Backend.Cluster.connection(cluster, node);
      if (suspected.isDone() && answersOthers(node) && isSilent(suspected.join())) {
        LOG.info("Connecting to Redis at {} anew: the connection was silent", name(node));
        disconnect(suspected.join());
      }
    } catch (RuntimeException e) { // also: the client or the connection is being closed
      LOG.debug("Redis at {} cannot be examined; its connection is kept", name(node), e);
    } finally {
      examined.remove(node);
    }
  }

  private static String name(RedisURI node) {
    return node.getHost() + ':' + node.getPort();
  }

  /** One that has broken says so. */
  private boolean isSilent(StatefulRedisConnection<byte[], byte[]> connection) {
    Flight question = new Wire(Line.fixed(connection), true, timeout)
        .depart(List.of(Request.of(CommandType.PING)));
    return question.land().get(0) instanceof Reply.Failure failure && failure.timedOut();
  }

  /** Whoever is connected to it has been greeted by it. */
  private boolean answersOthers(RedisURI node) {
    try (var fresh = client.connect(ByteArrayCodec.INSTANCE)) {
      return fresh.getConnection(node.getHost(), node.getPort()).isOpen();
    } catch (RedisException e) {
      LOG.debug("Redis at {} does not answer", name(node), e);
      return false;
    }
  }

  /** Lettuce has no other way to make one of a cluster's connections anew. */
  private static void disconnect(StatefulConnection<byte[], byte[]> connection) {
    if (connection instanceof RedisChannelHandler<?, ?> handler
        && handler.getOptions().isAutoReconnect()
        && endpoint(handler.getChannelWriter()) instanceof DefaultEndpoint endpoint) {
      endpoint.disconnect();
    }
  }

  private static RedisChannelWriter endpoint(RedisChannelWriter writer) {
    return writer instanceof Delegating<?> wrapped
            && wrapped.unwrap() instanceof RedisChannelWriter inner
        ? inner
        : writer;
  }
}
