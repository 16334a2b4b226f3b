package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.store.StoreException;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks what only a cluster does: nodes that fail alone, and slots that move. */
@Timeout(120)
class ClusterTest {

  private LocalRedisCluster cluster;
  private RedisDedupStore store;

  @BeforeEach
  void start() {
    cluster = LocalRedisCluster.start(3);
    store = builder().build();
  }

  @AfterEach
  void close() {
    store.close();
    cluster.close();
  }

  private RedisDedupStoreBuilder builder() {
    return RedisDedupStore.clusterBuilder(
            cluster.nodes().stream().map(Servers::uri).toList())
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
  void a_node_that_is_down_is_unavailable_for_its_own_marks_only() {
    List<ClaimRequest> requests = Marks.requests("m", 300);
    LocalRedis victim = cluster.nodes().get(1);
    List<ClaimAnswer> before = store.claim(requests, Marks.LEASE);
    victim.kill();

    List<SettleAnswer> settled = store.settle(Marks.done(before));
    List<ClaimAnswer> again = store.claim(Marks.requests("n", 300), Marks.LEASE);

    for (int i = 0; i < requests.size(); i++) {
      boolean down = SlotMove.nodeOf(requests.get(i), cluster) == victim;
      assertThat(settled.get(i))
          .isInstanceOf(down ? SettleAnswer.Unavailable.class : SettleAnswer.Settled.class);
    }
    assertThat(again).hasAtLeastOneElementOfType(Acquired.class);
    assertThat(again).hasAtLeastOneElementOfType(ClaimAnswer.Unavailable.class);
    assertThat(again).hasOnlyElementsOfTypes(Acquired.class, ClaimAnswer.Unavailable.class);
  }

  @Test
  void a_node_that_comes_back_settles_what_is_sent_again() {
    List<ClaimAnswer> claimed = store.claim(Marks.requests("m", 300), Marks.LEASE);
    cluster.nodes().get(1).kill();
    store.settle(Marks.done(claimed));

    cluster.nodes().get(1).restart();

    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(store.settle(Marks.done(claimed)))
            .containsOnly(new SettleAnswer.Settled(false)));
  }

  @Test
  void a_slot_that_moves_in_mid_run_loses_and_repeats_no_message() throws Exception {
    SlotMove move = SlotMove.of(Marks.request("m7"), cluster);
    Worker worker = new Worker(store, 150);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> working = thread.submit(worker);
      await().atMost(Duration.ofSeconds(60)).until(() -> worker.effects.size() > 30);
      move.begin();
      assertThatThrownBy(() -> move.from().command("GET", move.absentKey()))
          .hasMessageContaining("ASK " + move.slot());
      await().atMost(Duration.ofSeconds(60)).until(() -> !worker.refusals.isEmpty());
      move.finish(Marks.requests("m", 150).stream().map(ClaimRequest::key).toList());
      worker.finish = true;
      working.get(60, TimeUnit.SECONDS);
    } finally {
      thread.shutdownNow();
    }

    assertThat(worker.refusals).allMatch(reason -> reason.contains("TRYAGAIN"));
    assertThatThrownBy(() -> move.from().command("GET", move.absentKey()))
        .hasMessageContaining("MOVED " + move.slot());
    assertThat(store.claim(Marks.requests("m", 150), Marks.LEASE))
        .hasOnlyElementsOfType(ClaimAnswer.Done.class);
    assertThat(worker.effects).hasSize(150).doesNotHaveDuplicates();
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
          FaultTest.untilAnswered(() -> store.settle(List.of(Marks.done(it.claim()))));
        }
      } catch (StoreException e) {
        refusals.add(e.getMessage());
      }
    }
  }

  @Test
  void another_number_of_shards_is_refused() {
    assertThatThrownBy(() -> builder().shards(32).build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("shards=64")
        .hasMessageContaining("shards=32")
        .hasMessageContaining("hapax");
  }

  @Test
  void shards_share_the_store_keys_evenly_and_in_their_order() {
    Keyspace keyspace = new Keyspace("hapax", 48, new Layout.Strings());
    List<Integer> shards = IntStream.range(0, 4800)
        .mapToObj(i -> Marks.request("m" + i).key())
        .sorted()
        .map(keyspace::shardOf)
        .toList();

    assertThat(shards).isSorted().startsWith(0).endsWith(47);
    assertThat(IntStream.range(0, 48)
            .mapToObj(shard -> shards.stream().filter(s -> s == shard).count()))
        .allSatisfy(size -> assertThat(size).isBetween(50L, 150L));
  }
}
