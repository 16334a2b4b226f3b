package io.hapax.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A real Redis Cluster, each node a {@link LocalRedis}, the slots divided evenly among the masters.
 *
 * <pre>{@code
 * try (LocalRedisCluster cluster = LocalRedisCluster.start(3)) {
 *   ... RedisClusterClient.create(cluster.uri()) ...
 *   cluster.nodes().get(1).kill();
 * }
 * }</pre>
 *
 * <p>A master that is down takes its own slots with it and no others, until its replica takes its
 * place. Nodes are patient, so that a busy machine is not taken for a dead one; only
 * {@link #failOver} makes them quick.
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

  /**
   * Starts that many masters and returns when each of them says that the cluster is whole.
   *
   * @throws LocalServerException if that takes more than a minute; nothing is left running
   */
  public static LocalRedisCluster start(int masters) {
    return start(masters, 0, UnaryOperator.identity());
  }

  /**
   * The same, each node with settings of the caller's.
   *
   * @param settings changes what each node is started with
   * @throws LocalServerException if that takes more than a minute; nothing is left running
   */
  public static LocalRedisCluster start(int masters, UnaryOperator<LocalRedis.Builder> settings) {
    return start(masters, 0, settings);
  }

  /**
   * Starts that many masters, and one replica of each, and returns when all of them say that the
   * cluster is whole and the replicas are in step.
   *
   * @throws LocalServerException if that takes more than a minute; nothing is left running
   */
  public static LocalRedisCluster startWithReplicas(int masters) {
    return start(masters, masters, UnaryOperator.identity());
  }

  private static LocalRedisCluster start(
      int masters, int replicas, UnaryOperator<LocalRedis.Builder> settings) {
    List<LocalRedis> started = new ArrayList<>();
    try {
      for (int i = 0; i < masters + replicas; i++) {
        started.add(settings.apply(LocalRedis.builder().clustered()).start());
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

  /** The masters that it began with; the slots go up with their order. */
  public List<LocalRedis> nodes() {
    return nodes;
  }

  /** The replicas that it began with, in the order of their masters; empty without replicas. */
  public List<LocalRedis> replicas() {
    return replicas;
  }

  /** Where the first node answers. */
  public String uri() {
    return nodes.get(0).uri();
  }

  /**
   * Kills a master with SIGKILL and returns when its replica has taken its place and every other
   * node knows it. The dead one stays dead; it becomes a replica if it is restarted.
   *
   * @return the new master
   * @throws LocalServerException if that takes more than a minute
   */
  public LocalRedis failOver(LocalRedis master) {
    LocalRedis successor = replicas.get(nodes.indexOf(master));
    String id = successor.command("CLUSTER", "MYID");
    List<LocalRedis> others = all().filter(node -> node != master).toList();
    String patient = nodeTimeout(successor);
    others.forEach(node -> setNodeTimeout(node, QUICK));
    master.kill();
    Waiting.until(
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
    awaitWhole();
    for (int i = 0; i < replicas.size(); i++) {
      replicas.get(i).command("CLUSTER", "REPLICATE", nodes.get(i).command("CLUSTER", "MYID"));
    }
    Waiting.until(
        () -> replicas.stream()
            .allMatch(it -> it.command("INFO", "replication").contains("master_link_status:up")),
        () -> "a replica is not in step");
    Waiting.until(
        () -> all().allMatch(this::knowsTheReplicas), () -> "a node does not know the replicas");
  }

  private void awaitWhole() {
    Waiting.until(
        () -> all().allMatch(this::seesTheWhole),
        () -> "the cluster is not whole: " + nodes.get(0).command("CLUSTER", "INFO"));
  }

  private Stream<LocalRedis> all() {
    return Stream.concat(nodes.stream(), replicas.stream());
  }

  private boolean seesTheWhole(LocalRedis node) {
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

  /** Ends every node. */
  @Override
  public void close() {
    all().forEach(LocalRedis::close);
  }
}
