package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.store.StoreLoss;
import io.hapax.testkit.fault.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Checks settlements that wait for a replica, on a cluster. The last test kills a master of the
 * cluster that all tests share.
 */
@Tag("nightly")
@Timeout(120)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterFailoverTest {

  private static LocalRedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = LocalRedisCluster.startWithReplicas(3);
  }

  @AfterAll
  static void close() {
    cluster.close();
  }

  private static RedisDedupStore open(Duration patience) {
    return RedisDedupStore.clusterBuilder(Servers.uris(cluster))
        .replicas(1, patience)
        .build();
  }

  @Test
  @Order(1)
  void a_settlement_is_answered_when_a_replica_of_each_master_has_it() {
    try (RedisDedupStore store = open(Duration.ofSeconds(20))) {
      List<ClaimAnswer> claims = store.claim(Marks.requests("a", 500), Marks.LEASE);
      long before = connectionCommands();

      assertThat(store.settle(Marks.done(claims)))
          .hasSize(500)
          .containsOnly(new SettleAnswer.Settled(false));

      // Each wait sends two; three masters see one wait for the scripts by SHA-1 and one for their
      // texts.
      assertThat(connectionCommands() - before).as("CLIENT commands").isBetween(6L, 12L);
      for (int i = 0; i < 3; i++) {
        assertThat(doneMarks(cluster.replicas().get(i)))
            .isEqualTo(doneMarks(cluster.nodes().get(i)))
            .isGreaterThan(100);
      }
    }
  }

  private static long doneMarks(LocalRedis server) {
    return server
        .command("INFO", "keyspace")
        .lines()
        .filter(line -> line.startsWith("db0:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*expires=(\\d+).*", "$1")))
        .sum();
  }

  private static long connectionCommands() {
    return cluster.nodes().stream()
        .flatMap(node -> node.command("INFO", "commandstats").lines())
        .filter(line -> line.startsWith("cmdstat_client"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*calls=(\\d+).*", "$1")))
        .sum();
  }

  @Test
  @Order(2)
  void without_a_replica_only_settlements_of_its_master_are_unavailable() {
    try (RedisDedupStore store = open(Duration.ofSeconds(3))) {
      List<ClaimRequest> requests = Marks.requests("b", 300);
      List<Settlement> settlements = Marks.done(store.claim(requests, Marks.LEASE));
      cluster.replicas().get(1).pause();
      try {
        List<SettleAnswer> answers = store.settle(settlements);

        for (int i = 0; i < requests.size(); i++) {
          if (Slots.nodeOf(requests.get(i), cluster) == cluster.nodes().get(1)) {
            assertThat(answers.get(i))
                .isInstanceOfSatisfying(
                    SettleAnswer.Unavailable.class,
                    it -> assertThat(it.reason()).contains("0 of 1 replicas"));
          } else {
            assertThat(answers.get(i)).isEqualTo(new SettleAnswer.Settled(false));
          }
        }
      } finally {
        cluster.replicas().get(1).resume();
      }
      untilSettled(store, settlements);
    }
  }

  private static void untilSettled(RedisDedupStore store, List<Settlement> settlements) {
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .untilAsserted(() ->
            assertThat(store.settle(settlements)).containsOnly(new SettleAnswer.Settled(false)));
  }

  @Test
  @Order(3)
  void settlements_are_answered_on_new_connections_if_the_old_are_silent() {
    List<Integer> ports = cluster.nodes().stream().map(LocalRedis::port).toList();
    try (FaultProxy proxy = FaultProxy.before(ports)) {
      Deployment.Route route = ProxiedClient.toCluster(proxy, cluster.nodes());
      Duration soon = Duration.ofSeconds(3);
      try (RedisDedupStore store =
          route.builder().replicas(1, soon).commandTimeout(soon).build()) {
        untilSettled(store, Marks.done(store.claim(Marks.requests("f", 60), Marks.LEASE)));
        List<ClaimAnswer> held = store.claim(Marks.requests("g", 60), Marks.LEASE);

        proxy.silence();

        untilSettled(store, Marks.done(held));
      } finally {
        route.onClose().run();
      }
    }
  }

  @Test
  @Order(4)
  void settled_marks_survive_the_failover_of_a_master() {
    List<StoreLoss> losses = new CopyOnWriteArrayList<>();
    try (RedisDedupStore store = open(Duration.ofSeconds(5))) {
      store.listen(Marks.onLoss(losses::add));
      List<ClaimRequest> before = Marks.requests("c", 300);
      assertThat(store.settle(Marks.done(store.claim(before, Marks.LEASE))))
          .containsOnly(new SettleAnswer.Settled(false));
      List<ClaimAnswer> held = store.claim(Marks.requests("d", 300), Marks.LEASE);

      LocalRedis successor = cluster.failOver(cluster.nodes().get(2));
      await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
        store.claim(Marks.requests("e", 300), Marks.LEASE);
        return !losses
            .isEmpty(); // from now on the store sees the dead node as a master without slots
      });
      cluster.nodes().get(2).restart(); // as a replica of its successor

      List<Settlement> settlements = new ArrayList<>(Marks.done(held));
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(store.settle(settlements))
              .hasOnlyElementsOfType(SettleAnswer.Settled.class));
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(store.claim(Marks.requests("c", 300), Marks.LEASE))
              .hasOnlyElementsOfType(ClaimAnswer.Done.class));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> connections(cluster.nodes().get(2)) > 1);
      store.claim(Marks.requests("e", 300), Marks.LEASE);
      assertThat(before)
          .filteredOn(it -> Slots.nodeOf(it, cluster) == cluster.nodes().get(2))
          .hasSizeGreaterThan(50);
      assertThat(doneMarks(successor)).isGreaterThan(100);
      assertThat(losses)
          .containsExactly(
              new StoreLoss("shards of 127.0.0.1:" + successor.port(), StoreLoss.Extent.LATEST));
    }
  }

  /** Returns the number of client connections, including that of this query. */
  private static long connections(LocalRedis server) {
    return server
        .command("CLIENT", "LIST")
        .lines()
        .filter(it -> it.contains(" flags=N "))
        .count();
  }
}
