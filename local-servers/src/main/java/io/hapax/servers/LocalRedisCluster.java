package io.hapax.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A real Redis Cluster. Each node is a {@link LocalRedis}, and the slots are divided evenly among
 * the masters.
 *
 * <pre>{@code
 * try (LocalRedisCluster cluster = LocalRedisCluster.start(3)) {
 *   ... RedisClusterClient.create(cluster.uri()) ...
 *   cluster.nodes().get(1).kill();
 * }
 * }</pre>
 *
 * <p>If a master is down, only its own slots are down until its replica replaces it. Node timeouts
 * are long, so that a busy machine causes no failover. Only {@link #failOver} makes them short. A
 * start that takes more than a minute fails, and nothing remains running.
 */
public final class LocalRedisCluster implements AutoCloseable {

  private static final int SLOTS = 16_384;
  private static final String QUICK = "500";

  private final List<LocalRedis> nodes;
  private final List<LocalRedis> replicas;

  private LocalRedisCluster(List<LocalRedis> nodes, List<LocalRedis> replicas) {
    this.nodes = List.copyOf(nodes);
    this.replicas = List.copyOf(replicas);
  }

  /** Starts masters, and returns when each of them reports a complete cluster. */
  public static LocalRedisCluster start(int masters) {
    return start(masters, 0, UnaryOperator.identity());
  }

  /**
   * Starts masters. The caller changes the settings of each node.
   *
   * @throws LocalServerException if that takes more than a minute; nothing remains running
   */
  public static LocalRedisCluster start(
      int masters, UnaryOperator<LocalServer.Builder<LocalRedis>> settings) {
    return start(masters, 0, settings);
  }

  /**
   * Starts masters with one replica each. Returns when all of them report a complete cluster and
   * the replicas are in sync.
   */
  public static LocalRedisCluster startWithReplicas(int masters) {
    return start(masters, masters, UnaryOperator.identity());
  }

  private static LocalRedisCluster start(
      int masters, int replicas, UnaryOperator<LocalServer.Builder<LocalRedis>> settings) {
    List<LocalRedis> started = new ArrayList<>();
    try {
      for (int i = 0; i < masters + replicas; i++) {
        started.add(settings.apply(LocalRedis.clustered()).start());
      }
      LocalRedisCluster cluster = new LocalRedisCluster(
          started.subList(0, masters), started.subList(masters, started.size()));
      cluster.form();
      return cluster;
    } catch (RuntimeException | Error e) {
      started.forEach(LocalRedis::close);
      throw e;
    }
  }

  /** Returns the first masters. The slots ascend in their order. */
  public List<LocalRedis> nodes() {
    return nodes;
  }

  /** Returns the first replicas in the order of their masters; empty without replicas. */
  public List<LocalRedis> replicas() {
    return replicas;
  }

  /** Returns the address of the first node. */
  public String uri() {
    return nodes.get(0).uri();
  }

  /**
   * Kills a master with SIGKILL. Returns the new master when it has replaced the old one and every
   * other node knows that. The killed node stays down; it becomes a replica if it is restarted.
   *
   * @throws LocalServerException if that takes more than a minute
   */
  public LocalRedis failOver(LocalRedis master) {
    LocalRedis successor = replicas.get(nodes.indexOf(master));
    String id = successor.command("CLUSTER", "MYID");
    List<LocalRedis> others = all().filter(node -> node != master).toList();
    String patient = nodeTimeout(successor);
    others.forEach(node -> setNodeTimeout(node, QUICK));
    master.kill();
    Deadline.await(
        () -> others.stream().allMatch(node -> sees(node, id)),
        () -> successor + " has not taken the place of " + master + "; it sees\n"
            + successor.command("CLUSTER", "NODES"));
    others.forEach(node -> setNodeTimeout(node, patient));
    return successor;
  }

  private static boolean sees(LocalRedis node, String master) {
    return node.command("CLUSTER", "INFO").contains("cluster_slots_ok:" + SLOTS)
        && node.command("CLUSTER", "NODES")
            .lines()
            .anyMatch(line -> line.startsWith(master) && line.contains("master"));
  }

  private static String nodeTimeout(LocalRedis node) {
    return node.command("CONFIG", "GET", "cluster-node-timeout").split("\n", -1)[1];
  }

  private static void setNodeTimeout(LocalRedis node, String millis) {
    node.command("CONFIG", "SET", "cluster-node-timeout", millis);
  }

  private void form() {
    int share = (SLOTS + nodes.size() - 1) / nodes.size();
    for (int i = 0; i < nodes.size(); i++) {
      int end = Math.min(SLOTS, (i + 1) * share);
      List<String> words = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
      IntStream.range(i * share, end).forEach(slot -> words.add(Integer.toString(slot)));
      nodes.get(i).command(words.toArray(String[]::new));
    }
    all()
        .forEach(node ->
            nodes.get(0).command("CLUSTER", "MEET", Loopback.HOST, Integer.toString(node.port())));
    Deadline.await(
        () -> all().allMatch(this::isComplete),
        () -> "the cluster is not whole: " + nodes.get(0).command("CLUSTER", "INFO"));
    for (int i = 0; i < replicas.size(); i++) {
      replicas.get(i).command("CLUSTER", "REPLICATE", nodes.get(i).command("CLUSTER", "MYID"));
    }
    Deadline.await(
        () -> replicas.stream().allMatch(LocalRedis::isInStep), () -> "a replica is not in step");
    Deadline.await(
        () -> all().allMatch(this::knowsTheReplicas), () -> "a node does not know the replicas");
  }

  private Stream<LocalRedis> all() {
    return Stream.concat(nodes.stream(), replicas.stream());
  }

  private boolean isComplete(LocalRedis node) {
    String info = node.command("CLUSTER", "INFO");
    return info.contains("cluster_state:ok")
        && info.contains("cluster_slots_ok:" + SLOTS)
        && info.contains("cluster_known_nodes:" + (nodes.size() + replicas.size()));
  }

  private boolean knowsTheReplicas(LocalRedis node) {
    return node.command("CLUSTER", "NODES")
            .lines()
            .filter(line -> line.contains("slave"))
            .count()
        == replicas.size();
  }

  @Override
  public void close() {
    all().forEach(LocalRedis::close);
  }
}
