package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.servers.LocalRedisSentinel;
import io.hapax.servers.LocalServerException;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * The server, the cluster and the master behind Sentinels that harmless tests share. Each is
 * started once for this JVM.
 */
final class Servers {

  private Servers() {}

  private static final class Shared {
    static final LocalRedis REDIS = LocalRedis.start();
  }

  private static final class SharedCluster {
    static final LocalRedisCluster CLUSTER = LocalRedisCluster.start(3);
  }

  private static final class SharedSentinel {
    static final LocalRedisSentinel SENTINEL = LocalRedisSentinel.start(1);
  }

  static LocalRedisCluster cluster() {
    return SharedCluster.CLUSTER;
  }

  static LocalRedisSentinel sentinel() {
    return SharedSentinel.SENTINEL;
  }

  static LocalRedis shared() {
    return Shared.REDIS;
  }

  static RedisURI uri(LocalRedis redis) {
    return uri(redis.port());
  }

  static List<RedisURI> uris(LocalRedisCluster cluster) {
    return cluster.nodes().stream().map(Servers::uri).toList();
  }

  static RedisURI uri(int port) {
    return RedisURI.create("127.0.0.1", port);
  }

  /** Lets a script hang, longer than the server's lua-time-limit, in a thread; it ends killed. */
  static Future<?> hang(LocalRedis redis, ExecutorService thread) {
    Future<?> hanging = thread.submit(
        () -> assertThatThrownBy(() -> redis.command("EVAL", "while true do end", "0"))
            .isInstanceOf(LocalServerException.class));
    await().atMost(Duration.ofSeconds(60)).until(() -> isBusy(redis));
    return hanging;
  }

  /** Returns whether a script has hung longer than the server's lua-time-limit. */
  static boolean isBusy(LocalRedis redis) {
    try {
      redis.command("PING");
      return false;
    } catch (LocalServerException e) {
      return e.toString().contains("BUSY");
    }
  }

  /** Starts a replica and waits until it is in sync. */
  static LocalRedis replicaOf(LocalRedis master) {
    LocalRedis replica =
        LocalRedis.builder().setting("replicaof", "127.0.0.1 " + master.port()).start();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
    return replica;
  }
}
