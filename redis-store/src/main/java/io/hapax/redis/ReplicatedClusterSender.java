package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
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
 * Sends commands to the masters of a cluster and waits at each of them, in parallel, until enough
 * of its replicas have the writes.
 *
 * <p>A {@code WAIT} must use the connection of the write, so each command goes directly to the node
 * of its slot. If the slot has moved, or the node cannot be reached, this part fails and the
 * topology is refreshed; a repeated call reaches the new node. The connections belong to a cluster
 * connection that no other caller uses.
 */
final class ReplicatedClusterSender implements Sender {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedClusterSender.class);

  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<byte[], byte[]> cluster;
  private final ReplicaWait wait;
  private final Duration timeout;
  private final SilentNodeReconnector silentNodes;
  private final AtomicBoolean refreshing = new AtomicBoolean();

  ReplicatedClusterSender(
      RedisClusterClient client,
      StatefulRedisClusterConnection<byte[], byte[]> cluster,
      ReplicaWait wait,
      Duration timeout) {
    this.client = client;
    this.cluster = cluster;
    this.wait = wait;
    this.timeout = timeout;
    this.silentNodes = new SilentNodeReconnector(client, cluster, timeout);
  }

  /** The commands for one node, with the positions of their replies. */
  private record Part(
      List<Integer> positions,
      ReplicaWait.Extended extended,
      CompletableFuture<PendingReplies> pending) {}

  @Override
  public List<Reply> send(List<RedisRequest> requests) {
    List<Part> parts = byMaster(requests).entrySet().stream()
        .map(part -> sendAsync(part.getKey(), part.getValue(), requests))
        .toList();
    Reply[] replies = new Reply[requests.size()];
    for (Part part : parts) {
      List<Reply> collected = collect(part);
      for (int i = 0; i < collected.size(); i++) {
        replies[part.positions().get(i)] = collected.get(i);
      }
    }
    silentNodes.suspect(Pipeline.unanswered(requests, List.of(replies)));
    if (Arrays.stream(replies).anyMatch(ReplicatedClusterSender::mayBeMisrouted)) {
      refresh();
    }
    return List.of(replies);
  }

  private Map<Optional<RedisClusterNode>, List<Integer>> byMaster(List<RedisRequest> requests) {
    Map<Optional<RedisClusterNode>, List<Integer>> positions = new LinkedHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      int slot = SlotHash.getSlot(ReplicaWait.firstKey(requests.get(i)));
      Optional<RedisClusterNode> master =
          Optional.ofNullable(cluster.getPartitions().getMasterBySlot(slot));
      positions.computeIfAbsent(master, it -> new ArrayList<>()).add(i);
    }
    return positions;
  }

  private Part sendAsync(
      Optional<RedisClusterNode> master, List<Integer> positions, List<RedisRequest> requests) {
    ReplicaWait.Extended extended =
        wait.extend(positions.stream().map(requests::get).toList());
    CompletableFuture<PendingReplies> pending = connection(master)
        .thenApply(connection -> Pipeline.over(connection, timeout).sendAsync(extended.requests()));
    return new Part(positions, extended, pending);
  }

  private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection(
      Optional<RedisClusterNode> master) {
    return master
        .map(node -> Backend.Cluster.connection(cluster, node.getUri()))
        .orElseGet(() -> CompletableFuture.failedFuture(
            new RedisException("no node of the cluster is known to have the slot")));
  }

  private List<Reply> collect(Part part) {
    try {
      PendingReplies pending = part.pending().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return part.extended().check(pending.collect());
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
    return Collections.nCopies(part.positions().size(), new Reply.Failure(cause));
  }

  /** Returns whether another node might have answered. */
  private static boolean mayBeMisrouted(Reply reply) {
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
        LOG.debug("The topology of the Redis cluster cannot be refreshed", e);
      }
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
