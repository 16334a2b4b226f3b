package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.store.StoreException;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
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

  /**
   * Moves a slot from its master to the next one, as an operator does, in a cluster of three
   * masters.
   *
   * @param cluster the cluster
   * @param shard the shard of the slot, in the default namespace
   * @param from the old master
   * @param to the new master
   */
  record SlotMove(LocalRedisCluster cluster, int shard, LocalRedis from, LocalRedis to) {

    /** Prepares the move of the slot that contains the message's mark. */
    static SlotMove of(ClaimRequest request, LocalRedisCluster cluster) {
      LocalRedis from = Slots.nodeOf(request, cluster);
      LocalRedis to = cluster.nodes().get((cluster.nodes().indexOf(from) + 1) % 3);
      return new SlotMove(cluster, Slots.KEYSPACE.shardOf(request.key()), from, to);
    }

    int slot() {
      return Slots.slotOf(shard);
    }

    /** Returns a key of the slot that is never written. */
    String absentKey() {
      return "hapax{" + shard + "}absent";
    }

    void begin() {
      String number = Integer.toString(slot());
      to.command("CLUSTER", "SETSLOT", number, "IMPORTING", from.command("CLUSTER", "MYID"));
      from.command("CLUSTER", "SETSLOT", number, "MIGRATING", to.command("CLUSTER", "MYID"));
    }

    /**
     * Moves the keys of the slot, and announces the new master to all masters.
     *
     * @param done messages with DONE marks, including those of other shards
     */
    void finish(List<MessageKey> done) {
      List<byte[]> keys = new ArrayList<>(Slots.KEYSPACE.common(shard, "orders"));
      keys.addAll(Slots.KEYSPACE.done(
          shard,
          done.stream().filter(key -> Slots.KEYSPACE.shardOf(key) == shard).toList()));
      for (byte[] key : keys) {
        String name = new String(key, StandardCharsets.ISO_8859_1);
        from.command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), name, "0", "5000");
      }
      String number = Integer.toString(slot());
      assertThat(from.command("CLUSTER", "COUNTKEYSINSLOT", number)).isEqualTo("0");
      assertThat(to.command("CLUSTER", "COUNTKEYSINSLOT", number)).isNotEqualTo("0");
      String owner = to.command("CLUSTER", "MYID");
      cluster.nodes().forEach(node -> node.command("CLUSTER", "SETSLOT", number, "NODE", owner));
    }
  }
}
