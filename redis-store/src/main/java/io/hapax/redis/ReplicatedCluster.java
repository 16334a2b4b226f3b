package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends commands to the masters of a cluster and waits at each of them, all at once, until enough
 * of its replicas have what was written there.
 *
 * <p>A wait must be on the connection that wrote, so commands go straight to the node of their
 * slot: where that answers that the slot is elsewhere by now, or cannot be reached, its part fails,
 * and the cluster is asked anew who has what; whoever sends that part again reaches the new node.
 * The connections are those of a cluster connection that nobody else uses.
 */
final class ReplicatedCluster implements Sender {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedCluster.class);

  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<byte[], byte[]> cluster;
  private final ReplicaFence fence;
  private final Duration timeout;
  private final SilentNodes nodes;
  private final AtomicBoolean refreshing = new AtomicBoolean();

  ReplicatedCluster(
      RedisClusterClient client,
      StatefulRedisClusterConnection<byte[], byte[]> cluster,
      ReplicaFence fence,
      Duration timeout) {
    this.client = client;
    this.cluster = cluster;
    this.fence = fence;
    this.timeout = timeout;
    this.nodes = new SilentNodes(client, cluster, timeout);
  }

  /** What one node is sent, and where its replies belong. */
  private record Part(
      List<Integer> places, ReplicaFence.Fenced fenced, CompletableFuture<Flight> flight) {}

  @Override
  public List<Reply> send(List<Request> requests) {
    List<Part> parts = byMaster(requests).entrySet().stream()
        .map(part -> depart(part.getKey(), part.getValue(), requests))
        .toList();
    Reply[] replies = new Reply[requests.size()];
    for (Part part : parts) {
      List<Reply> landed = land(part);
      for (int i = 0; i < landed.size(); i++) {
        replies[part.places().get(i)] = landed.get(i);
      }
    }
    nodes.suspect(Wire.inVain(requests, List.of(replies)));
    if (Arrays.stream(replies).anyMatch(ReplicatedCluster::hasGoneAstray)) {
      refresh();
    }
    return List.of(replies);
  }

  private Map<Optional<RedisClusterNode>, List<Integer>> byMaster(List<Request> requests) {
    Map<Optional<RedisClusterNode>, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      int slot = SlotHash.getSlot(ReplicaFence.firstKey(requests.get(i)));
      Optional<RedisClusterNode> master =
          Optional.ofNullable(cluster.getPartitions().getMasterBySlot(slot));
      places.computeIfAbsent(master, it -> new ArrayList<>()).add(i);
    }
    return places;
  }

  private Part depart(
      Optional<RedisClusterNode> master, List<Integer> places, List<Request> requests) {
    ReplicaFence.Fenced fenced = fence.around(places.stream().map(requests::get).toList());
    CompletableFuture<Flight> flight = connection(master)
        .thenApply(connection ->
            new Wire(Line.fixed(connection), true, timeout).depart(fenced.requests()));
    return new Part(places, fenced, flight);
  }

  private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection(
      Optional<RedisClusterNode> master) {
    if (master.isEmpty()) {
      return CompletableFuture.failedFuture(
          new RedisException("no node of the cluster is known to have the slot"));
    }
    RedisURI uri = master.get().getUri();
    try {
      return cluster.getConnectionAsync(uri.getHost(), uri.getPort());
    } catch (RedisException e) { // of this node alone
      return CompletableFuture.failedFuture(e);
    }
  }

  private List<Reply> land(Part part) {
    try {
      Flight flight = part.flight().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return part.fenced().judge(flight.land());
    } catch (ExecutionException e) {
      return failed(part, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      return failed(part, new TimeoutException("not connected within " + timeout));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while waiting for Redis", e);
    }
  }

  private static List<Reply> failed(Part part, Throwable cause) {
    return Collections.nCopies(part.places().size(), new Reply.Failure(cause));
  }

  /** Whether another node might have answered it. */
  private static boolean hasGoneAstray(Reply reply) {
    return reply instanceof Reply.Failure failure
        && !(failure.cause() instanceof RedisNoScriptException);
  }

  private void refresh() {
    if (refreshing.compareAndSet(false, true)) {
      try {
        var unused =
            client.refreshPartitionsAsync().whenComplete((done, failure) -> refreshing.set(false));
      } catch (RuntimeException e) { // the client is being closed
        refreshing.set(false);
        LOG.debug("The cluster cannot be asked who has what", e);
      }
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
