package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.store.StoreException;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Masters of a cluster that are restarted before anybody takes their place. */
@Timeout(120)
class ClusterRestartTest {

  private final List<StoreLoss> losses = new CopyOnWriteArrayList<>();
  private LocalRedisCluster cluster;

  @BeforeEach
  void start() {
    cluster = LocalRedisCluster.start(3);
  }

  private RedisDedupStore open() {
    RedisDedupStore store = RedisDedupStore.clusterBuilder(
            cluster.nodes().stream().map(Servers::uri).toList())
        .build();
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
}
