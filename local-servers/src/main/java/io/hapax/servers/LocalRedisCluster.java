package io.hapax.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A real Redis Cluster of masters without replicas, each a {@link LocalRedis}, the slots divided
 * evenly.
 *
 * <pre>{@code
 * try (LocalRedisCluster cluster = LocalRedisCluster.start(3)) {
 *   ... RedisClusterClient.create(cluster.uri()) ...
 *   cluster.nodes().get(1).kill();
 * }
 * }</pre>
 *
 * <p>A node that is down takes its own slots with it and no others.
 */
public final class LocalRedisCluster implements AutoCloseable {

  private static final int SLOTS = 16_384;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();

  private final List<LocalRedis> nodes;

  private LocalRedisCluster(List<LocalRedis> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  /**
   * Starts that many masters and returns when each of them says that the cluster is whole.
   *
   * @throws LocalServerException if that takes more than a minute; nothing is left running
   */
  public static LocalRedisCluster start(int masters) {
    List<LocalRedis> started = new ArrayList<>();
    LocalRedisCluster cluster = null;
    try {
      for (int i = 0; i < masters; i++) {
        started.add(LocalRedis.builder().clustered().start());
      }
      cluster = new LocalRedisCluster(started);
      cluster.form();
      return cluster;
    } catch (RuntimeException | Error e) {
      started.forEach(LocalRedis::close);
      throw e;
    }
  }

  /** The masters; the slots go up with their order. */
  public List<LocalRedis> nodes() {
    return nodes;
  }

  /** Where the first node answers. */
  public String uri() {
    return nodes.get(0).uri();
  }

  private void form() {
    int share = (SLOTS + nodes.size() - 1) / nodes.size();
    for (int i = 0; i < nodes.size(); i++) {
      int end = Math.min(SLOTS, (i + 1) * share);
      List<String> words = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
      IntStream.range(i * share, end).forEach(slot -> words.add(Integer.toString(slot)));
      nodes.get(i).command(words.toArray(String[]::new));
      nodes
          .get(0)
          .command(
              "CLUSTER", "MEET", Loopback.HOST, Integer.toString(nodes.get(i).port()));
    }
    Deadline deadline = Deadline.in(PATIENCE);
    while (!nodes.stream().allMatch(this::seesTheWhole)) {
      if (deadline.hasPassed()) {
        throw new LocalServerException("the cluster is not whole after " + PATIENCE + ": "
            + nodes.get(0).command("CLUSTER", "INFO"));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private boolean seesTheWhole(LocalRedis node) {
    String info = node.command("CLUSTER", "INFO");
    return info.contains("cluster_state:ok")
        && info.contains("cluster_slots_ok:" + SLOTS)
        && info.contains("cluster_known_nodes:" + nodes.size());
  }

  /** Ends every node. */
  @Override
  public void close() {
    nodes.forEach(LocalRedis::close);
  }
}
