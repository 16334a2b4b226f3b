package io.hapax.redis;

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
 * Notices that a master of a cluster was restarted and is the master still: when the connection to
 * it was made anew it is asked who it is. That a replica has taken a master's place is told by
 * {@link Promotions}.
 *
 * <p>No connection is waited for: a master that hangs must not hold up who works with the others,
 * and nothing was learnt through a connection that is not there. A master that is given up for dead
 * is remembered, for it may come back.
 */
final class NodeRunIds implements Watched.Changes, RedisConnectionStateListener {

  private static final int AGAIN = -1;

  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<byte[], byte[]> cluster;
  private final Duration timeout;

  /** How many connections of the client were made, for whatever purpose. */
  private final AtomicInteger connects = new AtomicInteger();

  private final Map<String, Node> nodes = new ConcurrentHashMap<>();

  /** How many had been made when all that there was to find out was found out. */
  private volatile int looked = AGAIN;

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
    runIds.find(first -> {});
    return runIds;
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
  public boolean hasNews() {
    return looked != connects.get()
        || !masters().stream().allMatch(master -> nodes.containsKey(master.getNodeId()));
  }

  /**
   * Those that have marks: whose place a replica has taken is a master without slots until it
   * learns that it is one no more, and what it forgets when it comes back is nobody's loss.
   */
  private List<RedisClusterNode> masters() {
    return cluster.getPartitions().stream()
        .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.hasNoSlots())
        .toList();
  }

  @Override
  public void find(Consumer<Watched.Change> found) {
    looked = AGAIN;
    int made = connects.get();
    List<RedisClusterNode> masters = masters();
    nodes.keySet().retainAll(masters.stream().map(RedisClusterNode::getNodeId).toList());
    for (RedisClusterNode master : masters) {
      Node node = nodes.computeIfAbsent(master.getNodeId(), id -> new Node(master.getUri()));
      node.look(found); // what it was asked before may have been answered meanwhile
      node.ask(master.getUri());
    }
    Collection<Node> all = nodes.values();
    all.forEach(node -> node.server.await());
    all.forEach(node -> node.look(found));
    if (all.stream().allMatch(Node::isSettled)) {
      looked = made;
    }
  }

  /** Counts how often a connection is made anew. */
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

    private final ServerIdentity server = new ServerIdentity(timeout);
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
        return; // it is asked when it is connected to
      }
      StatefulConnection<byte[], byte[]> open = connection.join();
      if (counted.filter(it -> it.connection() == open).isEmpty()) {
        counted = Optional.of(Counted.of(open));
      }
      counted.ifPresent(
          it -> server.ask(new ServerIdentity.Made(open, it.reconnects().get())));
    }

    void look(Consumer<Watched.Change> found) {
      server
          .news()
          .ifPresent(evidence -> found.accept(
              new Watched.Change("shards of " + uri.getHost() + ':' + uri.getPort(), evidence)));
    }

    /** Whether there is nothing to be found out before another connection is made. */
    boolean isSettled() {
      return !connecting && (counted.isEmpty() || server.isSettled());
    }
  }
}
