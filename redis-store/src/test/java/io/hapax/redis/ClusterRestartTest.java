package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.servers.LocalServerException;
import io.hapax.store.StoreException;
import io.hapax.store.StoreLoss;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Restarts masters of a cluster before a replica takes their place.
 *
 * <p>Each node syncs its file before it answers. With {@code everysec} Redis postpones a write
 * while a sync is under way, and a kill then loses up to two seconds of marks and lossDetector.
 */
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
    return listening(RedisDedupStore.clusterBuilder(
        cluster.nodes().stream().map(Servers::uri).toList()));
  }

  private RedisDedupStore listening(RedisDedupStore.Builder builder) {
    RedisDedupStore store = builder.build();
    store.listen(Marks.onLoss(losses::add));
    return store;
  }

  /** What is on its disk stays as it is now. */
  private static void writeNoMore(LocalRedis node) {
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

  /** Answers of one call, and what had been told when it came back. */
  private record Seen(List<ClaimAnswer> answers, List<StoreLoss> told) {}

  /** The first call that some message of every node was answered in. */
  private Seen claimWhenAllAreBack(RedisDedupStore store, String prefix) {
    List<ClaimRequest> requests = Marks.requests(prefix, 300);
    List<ClaimAnswer> answers = await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(
            () -> store.claim(requests, Marks.LEASE),
            all -> all.stream().noneMatch(ClaimAnswer.Unavailable.class::isInstance));
    return new Seen(answers, List.copyOf(losses));
  }

  private static StoreLoss latestOf(LocalRedis node) {
    return new StoreLoss("shards of 127.0.0.1:" + node.port(), StoreLoss.Extent.LATEST);
  }

  @Test
  void a_master_that_comes_back_with_an_older_state_is_told_of_before_a_message_runs_again() {
    LocalRedis node = cluster.nodes().get(1);
    try (RedisDedupStore store = open()) {
      done(store, "kept");
      writeNoMore(node);
      done(store, "forgotten");
      node.kill();
      node.restart();

      Seen seen = claimWhenAllAreBack(store, "forgotten");

      assertThat(seen.answers().stream().filter(ClaimAnswer.Acquired.class::isInstance))
          .as("run once more")
          .hasSizeBetween(50, 200);
      assertThat(seen.told()).containsExactly(latestOf(node));
      assertThat(claimWhenAllAreBack(store, "kept").answers())
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
      assertThat(losses).hasSize(1);
    }
  }

  @Test
  void a_master_that_comes_back_empty_is_told_of_for_each_of_its_shards() {
    LocalRedis node = cluster.nodes().get(1);
    writeNoMore(node);
    try (RedisDedupStore store = open()) {
      done(store, "m");
      node.kill();
      node.restart();

      Seen seen = claimWhenAllAreBack(store, "m");

      assertThat(seen.told()).contains(latestOf(node));
      assertThat(seen.told().stream().filter(loss -> loss.extent() == StoreLoss.Extent.EVERYTHING))
          .hasSizeBetween(15, 30);
    }
  }

  @Test
  void a_restart_is_told_of_although_the_master_was_busy_when_the_store_was_opened()
      throws Exception {
    LocalRedis node = withoutLayout();
    node.command("CONFIG", "SET", "lua-time-limit", "100");
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> busy = thread.submit(() -> {
        assertThatThrownBy(() -> node.command("EVAL", "while true do end", "0"))
            .isInstanceOf(LocalServerException.class);
      });
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> assertThatThrownBy(() -> node.command("PING")).hasMessageContaining("BUSY"));
      try (RedisDedupStore store = open()) {
        node.command("SCRIPT", "KILL");
        busy.get(60, TimeUnit.SECONDS);
        done(store, "m");

        node.kill();
        node.restart();

        assertThat(claimWhenAllAreBack(store, "m").told()).containsExactly(latestOf(node));
      }
    } finally {
      thread.shutdownNow();
    }
  }

  private LocalRedis withoutLayout() {
    byte[] layout = new Keyspace("hapax", 64, new Layout.Strings()).layoutKey();
    return cluster.nodes().get((SlotHash.getSlot(layout) / 5462 + 1) % 3);
  }

  @Test
  void a_master_that_was_given_up_for_dead_is_told_of_when_it_comes_back() {
    LocalRedis node = withoutLayout();
    RedisClusterClient client =
        RedisClusterClient.create(cluster.nodes().stream().map(Servers::uri).toList());
    try (RedisDedupStore store = listening(RedisDedupStore.clusterBuilder(client))) {
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

      assertThat(claimWhenAllAreBack(store, "m").told()).containsExactly(latestOf(node));
    } finally {
      client.shutdown();
    }
  }

  @Test
  void what_is_found_out_while_somebody_is_interrupted_is_told_to_the_next_one() throws Exception {
    LocalRedis node = withoutLayout();
    RedisClusterClient client =
        RedisClusterClient.create(cluster.nodes().stream().map(Servers::uri).toList());
    try (var connection = client.connect(ByteArrayCodec.INSTANCE)) {
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

      node.pause(); // whose answer is there is not waited for, and no interrupt is noticed
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
          .extracting(ServerChangeWatcher.Change::place)
          .containsExactly("shards of 127.0.0.1:" + node.port());
      assertThat(restarts.mayHaveChanged()).isFalse();
    } finally {
      client.shutdown();
    }
  }
}
