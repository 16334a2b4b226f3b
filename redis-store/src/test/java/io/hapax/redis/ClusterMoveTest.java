package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.servers.LocalRedisCluster;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moves a slot during settlements that wait for replicas and so go directly to its master. */
@Timeout(120)
class ClusterMoveTest {

  /** Creates a client that never refreshes the topology by itself. */
  private static RedisClusterClient withoutRefresh(LocalRedisCluster cluster) {
    RedisClusterClient client =
        RedisClusterClient.create(cluster.nodes().stream().map(Servers::uri).toList());
    ClusterTopologyRefreshOptions.Builder refresh =
        ClusterTopologyRefreshOptions.builder().enablePeriodicRefresh(false);
    disableTriggers(refresh);
    client.setOptions(
        ClusterClientOptions.builder().topologyRefreshOptions(refresh.build()).build());
    return client;
  }

  private static void disableTriggers(ClusterTopologyRefreshOptions.Builder refresh) {
    try {
      var unused = refresh.disableAllAdaptiveRefreshTriggers();
    } catch (NoSuchMethodError e) { // Lettuce 6 has no triggers by default
      assertThat(refresh.build().getAdaptiveRefreshTriggers()).isEmpty();
    }
  }

  @Test
  void a_settlement_at_the_old_place_of_a_slot_counts_when_it_is_repeated() {
    try (LocalRedisCluster cluster = LocalRedisCluster.startWithReplicas(3)) {
      RedisClusterClient client = withoutRefresh(cluster);
      try (RedisDedupStore store = RedisDedupStore.clusterBuilder(client)
          .replicas(1, Duration.ofSeconds(10))
          .commandTimeout(Duration.ofSeconds(10))
          .build()) {
        List<ClaimRequest> requests = Marks.requests("m", 60);
        List<ClaimAnswer> claims = store.claim(requests, Marks.LEASE);
        SlotMove move = SlotMove.of(requests.get(0), cluster);
        move.begin();
        move.finish(List.of());
        assertThatThrownBy(() -> move.from().command("GET", move.absentKey()))
            .hasMessageContaining("MOVED " + move.slot());

        List<Settlement> settlements = Marks.done(claims);
        List<SettleAnswer> answers = store.settle(settlements);

        assertThat(IntStream.range(0, requests.size())).allSatisfy(i -> {
          if (SlotMove.slotOf(requests.get(i)) == move.slot()) {
            assertThat(answers.get(i))
                .isInstanceOfSatisfying(
                    SettleAnswer.Unavailable.class,
                    it -> assertThat(it.reason()).contains("MOVED " + move.slot()));
          } else {
            assertThat(answers.get(i)).isEqualTo(new SettleAnswer.Settled(false));
          }
        });
        await()
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(() -> assertThat(store.settle(settlements))
                .containsOnly(new SettleAnswer.Settled(false)));
      } finally {
        client.shutdown();
      }
    }
  }
}
