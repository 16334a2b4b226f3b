package io.hapax.redis;

import io.hapax.redis.ServerChangeWatcher.Change;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Detects that a master of a cluster was restarted and is still the master: asks it for its run id
 * after each reconnect. {@link Promotions} detects a replica that has become the master. Also
 * detects that a master evicts keys.
 *
 * <p>It never waits for a connection, so a master that hangs does not delay calls to the others. A
 * master that the cluster has declared dead is remembered, because it may come back.
 */
final class NodeRestarts implements ServerChangeWatcher.Changes, RedisConnectionStateListener {

  private static final int INCOMPLETE = -1;

  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<byte[], byte[]> cluster;
  private final Duration timeout;

  private final AtomicInteger connects = new AtomicInteger();

  private final Map<String, Node> nodes = new ConcurrentHashMap<>();

  /** The value of {@code connects} at the last complete check. */
  private volatile int checkedConnects = INCOMPLETE;

  private NodeRestarts(
      RedisClusterClient client,
      StatefulRedisClusterConnection<byte[], byte[]> cluster,
      Duration timeout) {
    this.client = client;
    this.cluster = cluster;
    this.timeout = timeout;
  }

  static NodeRestarts of(
      RedisClusterClient client,
      StatefulRedisClusterConnection<byte[], byte[]> cluster,
      Duration timeout) {
    NodeRestarts restarts = new NodeRestarts(client, cluster, timeout);
    client.addListener(restarts);
    restarts.detect(first -> {});
    return restarts;
  }

  @Override
  public void close() {
    client.removeListener(this);
  }

  @Override
  public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
    connects.incrementAndGet();
  }

  @Override
  public boolean mayHaveChanged() {
    return checkedConnects != connects.get()
        || !masters().stream().allMatch(master -> nodes.containsKey(master.getNodeId()))
        || nodes.values().stream().anyMatch(node -> node.server.isDue());
  }

  /**
   * Returns the masters that hold marks. A master that a replica has replaced has no slots, and its
   * loss of data costs nothing.
   */
  private List<RedisClusterNode> masters() {
    return cluster.getPartitions().stream()
        .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.hasNoSlots())
        .toList();
  }

  @Override
  public void detect(Consumer<Change> detected) {
    checkedConnects = INCOMPLETE;
    int made = connects.get();
    List<RedisClusterNode> masters = masters();
    nodes.keySet().retainAll(masters.stream().map(RedisClusterNode::getNodeId).toList());
    for (RedisClusterNode master : masters) {
      Node node = nodes.computeIfAbsent(master.getNodeId(), id -> new Node(master.getUri()));
      node.takeAnswer(detected); // the reply to an earlier question may have arrived meanwhile
      node.ask(master.getUri());
    }
    Collection<Node> all = nodes.values();
    all.forEach(node -> node.server.awaitIdentity());
    all.forEach(node -> node.takeAnswer(detected));
    if (all.stream().allMatch(Node::isSettled)) {
      checkedConnects = made;
    }
  }

  /** A connection that counts its reconnects. */
  private record Counted(StatefulConnection<byte[], byte[]> connection, AtomicInteger reconnects)
      implements RedisConnectionStateListener {

    static Counted of(StatefulConnection<byte[], byte[]> connection) {
      Counted counted = new Counted(connection, new AtomicInteger());
      connection.addListener(counted);
      return counted;
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
      reconnects.incrementAndGet();
    }
  }

  private final class Node {

    private final ServerProbe server = new ServerProbe(timeout);
    private RedisURI uri;
    private Optional<Counted> counted = Optional.empty();
    private boolean connecting;

    Node(RedisURI uri) {
      this.uri = uri;
    }

    void ask(RedisURI address) {
      uri = address;
      var connection = Backend.Cluster.connection(cluster, uri);
      connecting = !connection.isDone();
      if (connecting || connection.isCompletedExceptionally()) {
        server.askEvictions(Optional.empty());
        return; // the question is sent once a connection exists
      }
      StatefulConnection<byte[], byte[]> open = connection.join();
      server.askEvictions(Optional.of(open));
      if (counted.filter(it -> it.connection() == open).isEmpty()) {
        counted = Optional.of(Counted.of(open));
      }
      counted.ifPresent(it ->
          server.askIdentity(new ServerProbe.Connected(open, it.reconnects().get())));
    }

    void takeAnswer(Consumer<Change> detected) {
      String place = "shards of " + uri.getHost() + ':' + uri.getPort();
      server.takeAnswers(place, detected);
    }

    /** Returns whether only a new connection can bring news of this node. */
    boolean isSettled() {
      return !connecting && (counted.isEmpty() || server.isSettled());
    }
  }
}
