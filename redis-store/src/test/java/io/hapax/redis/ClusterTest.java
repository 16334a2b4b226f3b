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
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What only a cluster does: nodes that fail alone, and slots that move. */
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

  private RedisDedupStore.Builder builder() {
    return RedisDedupStore.clusterBuilder(
            cluster.nodes().stream().map(Servers::uri).toList())
        .commandTimeout(Duration.ofSeconds(10));
  }

  private LocalRedis nodeOf(ClaimRequest request) {
    int slot =
        SlotHash.getSlot(new Keyspace("hapax", 64, new Layout.Strings()).done(request.key()));
    return cluster.nodes().get(slot / 5462);
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
      boolean down = nodeOf(requests.get(i)) == victim;
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
  void a_slot_that_moves_is_unavailable_meanwhile_and_takes_its_marks_along() {
    ClaimRequest request = Marks.request("m");
    store.settle(Marks.done(store.claim(List.of(request), Marks.LEASE)));
    LocalRedis from = nodeOf(request);
    LocalRedis to = cluster.nodes().get((cluster.nodes().indexOf(from) + 1) % 3);
    String slot = Integer.toString(
        SlotHash.getSlot(new Keyspace("hapax", 64, new Layout.Strings()).done(request.key())));
    String toId = to.command("CLUSTER", "MYID");

    to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", from.command("CLUSTER", "MYID"));
    from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
    String[] keys = from.command("CLUSTER", "GETKEYSINSLOT", slot, "100").split("\n", -1);
    for (String key : keys) {
      from.command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", "5000");
    }
    assertThatThrownBy(() -> store.claim(List.of(Marks.request("m")), Marks.LEASE))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("TRYAGAIN");
    for (LocalRedis node : cluster.nodes()) {
      node.command("CLUSTER", "SETSLOT", slot, "NODE", toId);
    }

    assertThat(keys).hasSizeGreaterThan(1);
    assertThat(store.claim(List.of(Marks.request("m")), Marks.LEASE))
        .hasOnlyElementsOfType(ClaimAnswer.Done.class);
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
