package io.hapax.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A real Redis master with replicas, and three Sentinels that watch it. Each is a separate process.
 *
 * <pre>{@code
 * try (LocalRedisSentinel redis = LocalRedisSentinel.start(1)) {
 *   ... RedisURI.Builder.sentinel("127.0.0.1", redis.sentinels().get(0).port(), NAME) ...
 *   redis.failOver();
 * }
 * }</pre>
 *
 * <p>The timeouts of the Sentinels are long, so that a busy machine causes no failover. Only
 * {@link #failOver()} makes them short. A start that takes more than a minute fails, and nothing
 * remains running.
 */
public final class LocalRedisSentinel implements AutoCloseable {

  /** The name under which the Sentinels know the master. */
  public static final String NAME = "hapax";

  private static final int SENTINELS = 3;
  private static final String QUORUM = "2";
  private static final String PATIENT = "30000";

  /**
   * It applies to replicas and other Sentinels too. On a busy machine any of them may be silent for
   * some tenths of a second, and a replica that counts as down is not promoted.
   */
  private static final String QUICK = "1000";

  /** The Sentinels repeat an unsuccessful failover after twice this time. */
  private static final Duration FAILOVER_TIMEOUT = Duration.ofSeconds(5);

  /**
   * The time that a Sentinel does nothing after its timer came two seconds late. Redis defines it.
   */
  private static final Duration TILT = Duration.ofSeconds(30);

  /**
   * On a busy machine the Sentinels may enter this state once before and once during a failover.
   * Then they keep a dead master for little less than this time.
   */
  private static final Duration PATIENCE =
      TILT.multipliedBy(2).plus(FAILOVER_TIMEOUT.multipliedBy(2)).plusSeconds(20);

  private final List<LocalRedis> servers;
  private final List<LocalRedis> sentinels;

  private LocalRedisSentinel(List<LocalRedis> servers, List<LocalRedis> sentinels) {
    this.servers = List.copyOf(servers);
    this.sentinels = List.copyOf(sentinels);
  }

  /**
   * Starts a master, its replicas and three Sentinels. Returns when the replicas are in sync and
   * each Sentinel knows all the others.
   */
  public static LocalRedisSentinel start(int replicas) {
    List<LocalRedis> started = new ArrayList<>();
    try {
      LocalRedis master = LocalRedis.start();
      started.add(master);
      for (int i = 0; i < replicas; i++) {
        started.add(LocalRedis.builder()
            .setting("replicaof", Loopback.HOST + ' ' + master.port())
            .start());
      }
      List<LocalRedis> servers = List.copyOf(started);
      for (int i = 0; i < SENTINELS; i++) {
        started.add(LocalRedis.sentinel().start());
      }
      LocalRedisSentinel whole =
          new LocalRedisSentinel(servers, started.subList(servers.size(), started.size()));
      whole.form(master);
      return whole;
    } catch (RuntimeException | Error e) {
      started.forEach(LocalRedis::close);
      throw e;
    }
  }

  /** Returns the servers. The original master is the first. */
  public List<LocalRedis> servers() {
    return servers;
  }

  /** Returns the Sentinels, which accept the commands of a Sentinel. */
  public List<LocalRedis> sentinels() {
    return sentinels;
  }

  /** Returns the master that the first Sentinel names. */
  public LocalRedis master() {
    return named(sentinels.get(0));
  }

  /** Sets the time of silence after which a master counts as dead: one second, or a long time. */
  private void quick(boolean quick) {
    for (LocalRedis sentinel : sentinels) {
      sentinel.command("SENTINEL", "SET", NAME, "down-after-milliseconds", quick ? QUICK : PATIENT);
    }
  }

  /**
   * Kills the master with SIGKILL and returns the new one, when all Sentinels name it and it
   * accepts writes. The killed one stays down. After a restart the Sentinels make it a replica
   * within some ten seconds.
   *
   * @throws LocalServerException if that takes more than a minute and a half; the message shows the
   *     view of each Sentinel
   */
  public LocalRedis failOver() {
    LocalRedis old = master();
    old.kill();
    return awaitSuccessor(old);
  }

  /**
   * Waits until all Sentinels name another master than the given one, which is dead or stopped.
   *
   * <p>First it waits until the Sentinels have ended an earlier failover, whose end closes their
   * connections to the replicas. A Sentinel that decides at that moment finds no replica to
   * promote, and waits ten seconds before its next attempt.
   *
   * @throws LocalServerException if that takes more than a minute and a half; the message shows the
   *     view of each Sentinel
   */
  public LocalRedis awaitSuccessor(LocalRedis old) {
    Deadline deadline = Deadline.in(PATIENCE);
    deadline.until(
        () -> sentinels.stream().allMatch(sentinel -> named(sentinel) != old || isReady(sentinel)),
        () -> "the Sentinels could not leave " + old + " after " + PATIENCE + views());
    quick(true);
    deadline.until(
        () -> sentinels.stream().noneMatch(sentinel -> named(sentinel) == old)
            && master().command("INFO", "replication").contains("role:master"),
        () -> "the Sentinels still name " + old + " after " + PATIENCE + views());
    quick(false);
    return master();
  }

  /** Returns whether it has no running failover, a replica to promote and enough voters. */
  private static boolean isReady(LocalRedis sentinel) {
    return flags(sentinel, "MASTER").noneMatch(it -> it.contains("failover_in_progress"))
        && flags(sentinel, "REPLICAS").anyMatch("slave"::equals)
        && flags(sentinel, "SENTINELS").allMatch("sentinel"::equals);
  }

  /**
   * Returns the flags of the instances that a Sentinel watches: the kind of each, and its problems.
   * The reply is a list of names and values.
   */
  private static Stream<String> flags(LocalRedis sentinel, String about) {
    List<String> words = sentinel.command("SENTINEL", about, NAME).lines().toList();
    return IntStream.range(1, words.size())
        .filter(i -> words.get(i - 1).equals("flags"))
        .mapToObj(words::get);
  }

  /** Describes what each Sentinel sees, and whether it is in tilt mode. */
  private String views() {
    return sentinels.stream()
        .map(it -> it + " sees " + it.command("INFO", "sentinel")
            + Stream.of("MASTER", "REPLICAS", "SENTINELS")
                .flatMap(about -> flags(it, about))
                .toList())
        .collect(Collectors.joining("\n", ":\n", ""));
  }

  private LocalRedis named(LocalRedis sentinel) {
    String port = sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME).split("\n", -1)[1];
    return servers.stream()
        .filter(server -> port.equals(Integer.toString(server.port())))
        .findFirst()
        .orElseThrow(() -> new LocalServerException(sentinel + " names an unknown port " + port));
  }

  private void form(LocalRedis master) {
    List<LocalRedis> replicas = servers.subList(1, servers.size());
    Deadline.await(
        () -> replicas.stream().allMatch(LocalRedis::isInStep),
        () -> "a replica is not in step with " + master);
    for (LocalRedis sentinel : sentinels) {
      sentinel.command(
          "SENTINEL", "MONITOR", NAME, Loopback.HOST, Integer.toString(master.port()), QUORUM);
      sentinel.command(
          "SENTINEL", "SET", NAME, "failover-timeout", Long.toString(FAILOVER_TIMEOUT.toMillis()));
    }
    Deadline.await(
        () -> sentinels.stream().allMatch(this::knowsAll),
        () -> "the Sentinels do not know each other" + views());
  }

  private boolean knowsAll(LocalRedis sentinel) {
    return flags(sentinel, "REPLICAS").count() == servers.size() - 1
        && flags(sentinel, "SENTINELS").count() == sentinels.size() - 1;
  }

  @Override
  public void close() {
    sentinels.forEach(LocalRedis::close);
    servers.forEach(LocalRedis::close);
  }
}
