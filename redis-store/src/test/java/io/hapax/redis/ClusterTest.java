package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks what only a cluster does: nodes that hold a part of the marks and fail alone. */
@Timeout(120)
class ClusterTest {

  private static LocalRedisCluster cluster;
  private static RedisDedupStore store;

  @BeforeAll
  static void start() {
    cluster = LocalRedisCluster.start(3);
    store = builder().build();
  }

  @AfterAll
  static void close() {
    store.close();
    cluster.close();
  }

  private static RedisDedupStoreBuilder builder() {
    return RedisDedupStore.clusterBuilder(Servers.uris(cluster))
        .commandTimeout(Duration.ofSeconds(10));
  }

  @Test
  void marks_are_spread_over_all_nodes() {
    store.settle(Marks.done(store.claim(Marks.requests("m", 600), Marks.LEASE)));

    assertThat(cluster.nodes())
        .extracting(node -> Integer.parseInt(node.command("DBSIZE")))
        .allSatisfy(size -> assertThat(size).isGreaterThan(100));
  }

  @Test
  void a_node_that_is_down_is_unavailable_for_its_own_marks_only_until_it_is_back() {
    List<ClaimRequest> requests = Marks.requests("held-", 300);
    LocalRedis victim = cluster.nodes().get(1);
    List<ClaimAnswer> before = store.claim(requests, Marks.LEASE);
    victim.kill();

    List<SettleAnswer> settled = store.settle(Marks.done(before));
    List<ClaimAnswer> again = store.claim(Marks.requests("new-", 300), Marks.LEASE);

    for (int i = 0; i < requests.size(); i++) {
      boolean down = Slots.nodeOf(requests.get(i), cluster) == victim;
      assertThat(settled.get(i))
          .isInstanceOf(down ? SettleAnswer.Unavailable.class : SettleAnswer.Settled.class);
    }
    assertThat(again).hasAtLeastOneElementOfType(Acquired.class);
    assertThat(again).hasAtLeastOneElementOfType(ClaimAnswer.Unavailable.class);
    assertThat(again).hasOnlyElementsOfTypes(Acquired.class, ClaimAnswer.Unavailable.class);

    victim.restart();

    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(store.settle(Marks.done(before)))
            .hasOnlyElementsOfType(SettleAnswer.Settled.class));
  }
}
