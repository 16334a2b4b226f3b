package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.store.StoreException;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moves a slot: during claims and settlements, and during settlements that wait for replicas. */
@Tag("nightly")
@Timeout(120)
class ClusterMoveTest {

  /** Creates a client that never refreshes the topology by itself. */
  private static RedisClusterClient withoutRefresh(LocalRedisCluster cluster) {
    RedisClusterClient client = RedisClusterClient.create(Servers.uris(cluster));
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
          if (Slots.slotOf(requests.get(i)) == move.slot()) {
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

  @Test
  void a_slot_that_moves_in_mid_run_loses_and_repeats_no_message() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (LocalRedisCluster cluster = LocalRedisCluster.start(3);
        RedisDedupStore store = RedisDedupStore.clusterBuilder(
                cluster.nodes().stream().map(Servers::uri).toList())
            .commandTimeout(Duration.ofSeconds(10))
            .build()) {
      SlotMove move = SlotMove.of(Marks.request("m7"), cluster);
      Worker worker = new Worker(store, 150);
      Future<?> working = thread.submit(worker);
      await().atMost(Duration.ofSeconds(60)).until(() -> worker.effects.size() > 30);
      move.begin();
      assertThatThrownBy(() -> move.from().command("GET", move.absentKey()))
          .hasMessageContaining("ASK " + move.slot());
      await().atMost(Duration.ofSeconds(60)).until(() -> !worker.refusals.isEmpty());
      move.finish(Marks.requests("m", 150).stream().map(ClaimRequest::key).toList());
      worker.finish = true;
      working.get(60, TimeUnit.SECONDS);

      assertThat(worker.refusals).allMatch(reason -> reason.contains("TRYAGAIN"));
      assertThatThrownBy(() -> move.from().command("GET", move.absentKey()))
          .hasMessageContaining("MOVED " + move.slot());
      assertThat(store.claim(Marks.requests("m", 150), Marks.LEASE))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
      assertThat(worker.effects).hasSize(150).doesNotHaveDuplicates();
    } finally {
      thread.shutdownNow();
    }
  }

  /** Handles messages one by one until it is stopped. */
  private static final class Worker implements Runnable {

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final Set<String> refusals = ConcurrentHashMap.newKeySet();
    private final RedisDedupStore store;
    private final int messages;
    private volatile boolean finish;

    Worker(RedisDedupStore store, int messages) {
      this.store = store;
      this.messages = messages;
    }

    @Override
    public void run() {
      while (!finish || effects.size() < messages) {
        for (int i = 0; i < messages; i++) {
          handle("m" + i);
        }
      }
    }

    private void handle(String id) {
      try {
        if (store.claim(List.of(Marks.request(id)), Marks.LEASE).get(0) instanceof Acquired it) {
          effects.add(id);
          Marks.untilAnswered(() -> store.settle(List.of(Marks.done(it.claim()))));
        }
      } catch (StoreException e) {
        refusals.add(e.getMessage());
      }
    }
  }
}
