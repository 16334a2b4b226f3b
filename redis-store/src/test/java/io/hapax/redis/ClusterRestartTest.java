package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.store.StoreException;
import io.hapax.store.StoreLoss;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Restarts masters of a cluster before a replica takes their place.
 *
 * <p>Each node syncs its file before it answers. With {@code everysec} Redis postpones a write
 * while a sync is under way, and a kill then loses up to two seconds of marks and canaries.
 */
@Tag("nightly")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class ClusterRestartTest {

  private final List<StoreLoss> losses = new CopyOnWriteArrayList<>();
  private LocalRedisCluster cluster;

  @BeforeEach
  void start() {
    cluster = LocalRedisCluster.start(3, node -> node.setting("appendfsync", "always"));
  }

  private RedisDedupStore open() {
    return listening(RedisDedupStore.clusterBuilder(Servers.uris(cluster)));
  }

  private RedisDedupStore listening(RedisDedupStoreBuilder builder) {
    RedisDedupStore store = builder.build();
    store.listen(Marks.onLoss(losses::add));
    return store;
  }

  /** Freezes the state on the node's disk. */
  private static void stopPersisting(LocalRedis node) {
    node.command("CONFIG", "SET", "appendonly", "no");
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private static void done(RedisDedupStore store, String prefix) {
    assertThat(store.settle(Marks.done(store.claim(Marks.requests(prefix, 300), Marks.LEASE))))
        .containsOnly(new SettleAnswer.Settled(false));
  }

  /** The answers of a call, and the losses that were reported when it returned. */
  private record Observed(List<ClaimAnswer> answers, List<StoreLoss> reported) {}

  /** Returns the first call in which every node answered. */
  private Observed claimWhenAllAnswer(RedisDedupStore store, String prefix) {
    List<ClaimAnswer> answers = Marks.claimWhenAllAnswer(store, Marks.requests(prefix, 300));
    return new Observed(answers, List.copyOf(losses));
  }

  private static StoreLoss latestOf(LocalRedis node) {
    return new StoreLoss("shards of 127.0.0.1:" + node.port(), StoreLoss.Extent.LATEST);
  }

  @Test
  void a_restart_with_an_older_state_is_reported_before_a_message_runs_again() {
    LocalRedis node = cluster.nodes().get(1);
    try (RedisDedupStore store = open()) {
      done(store, "kept");
      stopPersisting(node);
      done(store, "forgotten");
      node.kill();
      node.restart();

      Observed seen = claimWhenAllAnswer(store, "forgotten");

      assertThat(seen.answers().stream().filter(ClaimAnswer.Acquired.class::isInstance))
          .as("run once more")
          .hasSizeBetween(50, 200);
      assertThat(seen.reported()).containsExactly(latestOf(node));
      assertThat(claimWhenAllAnswer(store, "kept").answers())
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
      assertThat(losses).hasSize(1);
    }
  }

  @Test
  void a_restart_without_data_is_reported_for_each_shard() {
    LocalRedis node = cluster.nodes().get(1);
    stopPersisting(node);
    try (RedisDedupStore store = open()) {
      done(store, "m");
      node.kill();
      node.restart();

      Observed seen = claimWhenAllAnswer(store, "m");

      assertThat(seen.reported()).contains(latestOf(node));
      assertThat(
              seen.reported().stream().filter(loss -> loss.extent() == StoreLoss.Extent.EVERYTHING))
          .hasSizeBetween(15, 30);
    }
  }

  @Test
  void a_restart_is_reported_if_the_master_was_busy_at_the_stores_start() throws Exception {
    LocalRedis node = Slots.withoutLayout(cluster);
    node.command("CONFIG", "SET", "lua-time-limit", "100");
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> busy = Servers.hang(node, thread);
      try (RedisDedupStore store = open()) {
        node.command("SCRIPT", "KILL");
        busy.get(60, TimeUnit.SECONDS);
        done(store, "m");

        node.kill();
        node.restart();

        assertThat(claimWhenAllAnswer(store, "m").reported()).containsExactly(latestOf(node));
      }
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void keys_that_a_master_evicts_are_reported_for_its_shards() {
    LocalRedis node = cluster.nodes().get(1);
    try (RedisDedupStore store = open()) {
      done(store, "m");
      node.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      node.command("DEBUG", "POPULATE", "10000", "filler", "1000");
      node.command("CONFIG", "SET", "maxmemory", "4mb");

      await().atMost(Duration.ofSeconds(45)).until(() -> {
        claimWhenAllAnswer(store, "m");
        return losses.contains(
            new StoreLoss("shards of 127.0.0.1:" + node.port(), StoreLoss.Extent.EVICTED));
      });
    }
  }

  @Test
  void the_restart_of_a_master_declared_dead_is_reported() {
    LocalRedis node = Slots.withoutLayout(cluster);
    try (RedisClusterClient client = RedisClusterClient.create(Servers.uris(cluster));
        RedisDedupStore store = listening(RedisDedupStore.clusterBuilder(client))) {
      done(store, "m");
      cluster.nodes().forEach(it -> it.command("CONFIG", "SET", "cluster-node-timeout", "500"));
      node.kill();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> cluster.nodes().stream()
              .filter(it -> it != node)
              .allMatch(it -> it.command("CLUSTER", "NODES").contains("master,fail ")));
      client.refreshPartitions();
      store.claim(Marks.requests("meanwhile", 300), Marks.LEASE);
      node.restart();

      assertThat(claimWhenAllAnswer(store, "m").reported()).containsExactly(latestOf(node));
    }
  }

  @Test
  void a_restart_that_an_interrupted_caller_detects_is_reported_later() throws Exception {
    LocalRedis node = Slots.withoutLayout(cluster);
    try (RedisClusterClient client = RedisClusterClient.create(Servers.uris(cluster));
        var connection = client.connect(ByteArrayCodec.INSTANCE)) {
      for (LocalRedis each : cluster.nodes()) {
        connection.getConnection("127.0.0.1", each.port());
      }
      NodeRestarts restarts = NodeRestarts.of(client, connection, Duration.ofSeconds(30));
      assertThat(restarts.mayHaveChanged()).isFalse();
      List<ServerChangeWatcher.Change> found = new ArrayList<>();
      node.kill();
      node.restart();
      await().atMost(Duration.ofSeconds(60)).until(() -> {
        return restarts.mayHaveChanged()
            && connection.getConnection("127.0.0.1", node.port()).isOpen();
      });

      node.pause(); // else the reply may already be there, and the interrupt goes unnoticed
      try {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> restarts.detect(found::add)).isInstanceOf(StoreException.class);
      } finally {
        assertThat(Thread.interrupted()).isTrue();
        node.resume();
      }
      assertThat(restarts.mayHaveChanged()).isTrue();
      restarts.detect(found::add);

      assertThat(found)
          .extracting(change -> change.loss().place())
          .containsExactly("shards of 127.0.0.1:" + node.port());
      assertThat(restarts.mayHaveChanged()).isFalse();
    }
  }
}
