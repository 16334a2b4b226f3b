package io.hapax.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A real Redis master with replicas, and three Sentinels that watch it, each a process of its own.
 *
 * <pre>{@code
 * try (LocalRedisSentinel redis = LocalRedisSentinel.start(1)) {
 *   ... RedisURI.Builder.sentinel("127.0.0.1", redis.sentinels().get(0).port(), NAME) ...
 *   redis.failOver();
 * }
 * }</pre>
 *
 * <p>The Sentinels are patient, so that a busy machine is not taken for a dead master; only
 * {@link #failOver()} makes them quick.
 */
public final class LocalRedisSentinel implements AutoCloseable {

  /** The name under which the Sentinels know the master. */
  public static final String NAME = "hapax";

  private static final int SENTINELS = 3;
  private static final String QUORUM = "2";
  private static final String PATIENT = "30000";

  /**
   * It holds for replicas and other Sentinels too. All of these may be silent for some tenths of a
   * second on a busy machine, and one that is taken for down is not promoted.
   */
  private static final String QUICK = "1000";

  /** A failover that came to nothing is tried again after twice that. */
  private static final Duration FAILOVER_TIMEOUT = Duration.ofSeconds(5);

  /** How long a Sentinel does nothing when its timer came two seconds late; it is Redis' own. */
  private static final Duration TILT = Duration.ofSeconds(30);

  /**
   * Sentinels that a busy machine stops for two seconds, and once more when they try, are right to
   * keep a dead master for little less.
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
   * Starts a master, so many replicas and three Sentinels, and returns when the replicas are in
   * step and each Sentinel knows all the others.
   *
   * @throws LocalServerException if that takes more than a minute; nothing is left running
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
        started.add(LocalRedis.builder().sentinel().start());
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

  /** The servers, the first master at the head. */
  public List<LocalRedis> servers() {
    return servers;
  }

  /** The Sentinels; they take the commands of a Sentinel. */
  public List<LocalRedis> sentinels() {
    return sentinels;
  }

  /** The master as the first Sentinel names it. */
  public LocalRedis master() {
    return named(sentinels.get(0));
  }

  /** Makes the Sentinels take a master for dead that is silent for a second, or patient again. */
  private void quick(boolean quick) {
    for (LocalRedis sentinel : sentinels) {
      sentinel.command("SENTINEL", "SET", NAME, "down-after-milliseconds", quick ? QUICK : PATIENT);
    }
  }

  /**
   * Kills the master with SIGKILL, returns when all Sentinels name another one that takes writes,
   * and gives that one. The dead one stays dead; once it is restarted, the Sentinels make it a
   * replica after some ten seconds.
   *
   * @throws LocalServerException if that takes more than a minute and a half; it tells what each
   *     Sentinel believes
   */
  public LocalRedis failOver() {
    LocalRedis old = master();
    old.kill();
    return awaitSuccessor(old);
  }

  /**
   * Makes the Sentinels quick and returns when all of them name another master than that one, which
   * is dead or stopped.
   *
   * <p>Before that it waits for the Sentinels to have done with an earlier failover, whose end cuts
   * their connections to the replicas: who is quick by then finds nobody to promote, and does not
   * look again for ten seconds.
   *
   * @throws LocalServerException if that takes more than a minute and a half; it tells what each
   *     Sentinel believes
   */
  public LocalRedis awaitSuccessor(LocalRedis old) {
    Deadline deadline = Deadline.in(PATIENCE);
    Waiting.before(
        deadline,
        () -> sentinels.stream().allMatch(sentinel -> named(sentinel) != old || isReady(sentinel)),
        () -> "the Sentinels could not leave " + old + " after " + PATIENCE + beliefs());
    quick(true);
    Waiting.before(
        deadline,
        () -> sentinels.stream().noneMatch(sentinel -> named(sentinel) == old)
            && master().command("INFO", "replication").contains("role:master"),
        () -> "the Sentinels still name " + old + " after " + PATIENCE + beliefs());
    quick(false);
    return master();
  }

  private static boolean isReady(LocalRedis sentinel) {
    return SentinelView.of(sentinel, NAME).isReady();
  }

  private String beliefs() {
    return sentinels.stream()
        .map(sentinel -> SentinelView.of(sentinel, NAME).toString())
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
    Waiting.until(
        () -> replicas.stream()
            .allMatch(it -> it.command("INFO", "replication").contains("master_link_status:up")),
        () -> "a replica is not in step with " + master);
    for (LocalRedis sentinel : sentinels) {
      sentinel.command(
          "SENTINEL", "MONITOR", NAME, Loopback.HOST, Integer.toString(master.port()), QUORUM);
      sentinel.command(
          "SENTINEL", "SET", NAME, "failover-timeout", Long.toString(FAILOVER_TIMEOUT.toMillis()));
    }
    Waiting.until(
        () -> sentinels.stream().allMatch(this::knowsAll),
        () -> "the Sentinels do not know each other" + beliefs());
  }

  private boolean knowsAll(LocalRedis sentinel) {
    SentinelView view = SentinelView.of(sentinel, NAME);
    return view.replicas().size() == servers.size() - 1
        && view.sentinels().size() == sentinels.size() - 1;
  }

  /** Ends the Sentinels, then the servers. */
  @Override
  public void close() {
    sentinels.forEach(LocalRedis::close);
    servers.forEach(LocalRedis::close);
  }
}
