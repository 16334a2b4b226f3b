package io.hapax.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.protocol.CommandType;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a master of a cluster was restarted and is the master still: when the connection to
 * it was made anew it is asked for the id that it gave itself when it started. That a replica has
 * taken a master's place is told by {@link Promotions}.
 */
final class NodeRunIds implements Watched.Changes, RedisConnectionStateListener {

  private static final String UNKNOWN = "";

  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<byte[], byte[]> cluster;
  private final Duration timeout;

  /** Connections that were made since somebody looked, and how often. */
  private final Map<RedisChannelHandler<?, ?>, Integer> connected = new ConcurrentHashMap<>();

  private final Map<String, String> runIds = new ConcurrentHashMap<>();

  private NodeRunIds(
      RedisClusterClient client,
      StatefulRedisClusterConnection<byte[], byte[]> cluster,
      Duration timeout) {
    this.client = client;
    this.cluster = cluster;
    this.timeout = timeout;
  }

  static NodeRunIds of(
      RedisClusterClient client,
      StatefulRedisClusterConnection<byte[], byte[]> cluster,
      Duration timeout) {
    NodeRunIds runIds = new NodeRunIds(client, cluster, timeout);
    client.addListener(runIds);
    var unused = runIds.look();
    return runIds;
  }

  @Override
  public void close() {
    client.removeListener(this);
  }

  @Override
  public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
    connected.merge(connection, 1, Integer::sum);
  }

  /** Who comes while it is being found out waits for it. */
  @Override
  public List<Watched.Change> sinceLastTime() {
    return nothingIsNew() ? List.of() : look();
  }

  private boolean nothingIsNew() {
    return connected.isEmpty()
        && masters().stream().allMatch(master -> runIds.containsKey(master.getNodeId()));
  }

  private List<RedisClusterNode> masters() {
    return cluster.getPartitions().stream()
        .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM))
        .filter(node -> !node.is(RedisClusterNode.NodeFlag.FAIL))
        .toList();
  }

  private synchronized List<Watched.Change> look() {
    if (nothingIsNew()) { // somebody else has looked meanwhile
      return List.of();
    }
    List<RedisClusterNode> masters = masters();
    Map<RedisChannelHandler<?, ?>, Integer> anew = new HashMap<>(connected);
    List<Watched.Change> changes =
        masters.stream().flatMap(master -> change(master, anew).stream()).toList();
    anew.forEach(connected::remove); // unless it was made once more meanwhile
    runIds.keySet().retainAll(masters.stream().map(RedisClusterNode::getNodeId).toList());
    return changes;
  }

  /** Takes the connection out of those made anew if it has to be asked once more. */
  private Optional<Watched.Change> change(
      RedisClusterNode master, Map<RedisChannelHandler<?, ?>, Integer> anew) {
    Optional<String> known = Optional.ofNullable(runIds.putIfAbsent(master.getNodeId(), UNKNOWN));
    RedisURI uri = master.getUri();
    try {
      StatefulConnection<byte[], byte[]> connection = connectionTo(uri);
      if (connection == null || (known.isPresent() && !anew.containsKey(connection))) {
        return Optional.empty();
      }
      Reply reply = ask(connection);
      if (reply instanceof Reply.Failure failure && !Rights.refuses(failure)) {
        anew.remove(connection);
        return Optional.empty();
      }
      String runId = RunIds.runId(reply).orElse(UNKNOWN);
      runIds.put(master.getNodeId(), runId);
      return known
          .filter(before -> !before.equals(UNKNOWN) && !runId.equals(UNKNOWN))
          .filter(before -> !before.equals(runId))
          .map(before -> new Watched.Change(
              "shards of " + uri.getHost() + ':' + uri.getPort(),
              "the server's run_id was " + before + " and is " + runId));
    } catch (RedisException e) {
      return Optional.empty(); // it is asked when it is connected to
    }
  }

  /**
   * The connection to a node if there is one. It is not waited for: a master that hangs must not
   * hold up who works with the others, and nothing was learnt through a connection that is not
   * there.
   */
  private @Nullable StatefulConnection<byte[], byte[]> connectionTo(RedisURI uri) {
    var connection = cluster.getConnectionAsync(uri.getHost(), uri.getPort());
    return connection.isCompletedExceptionally() ? null : connection.getNow(null);
  }

  private Reply ask(StatefulConnection<byte[], byte[]> connection) {
    return new Wire(Line.fixed(connection), true, timeout)
        .send(List.of(Request.of(CommandType.INFO, "server")))
        .get(0);
  }
}
