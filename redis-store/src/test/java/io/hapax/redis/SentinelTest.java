package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisSentinel;
import io.hapax.servers.LocalServerException;
import io.hapax.store.StoreLoss;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Checks failovers that real Sentinels decide on. The tests share the servers; each leaves a master
 * and a replica that is in sync.
 */
@Timeout(120)
class SentinelTest {

  private static LocalRedisSentinel redis;

  @BeforeAll
  static void start() {
    redis = LocalRedisSentinel.start(2);
  }

  @AfterAll
  static void close() {
    redis.close();
  }

  /** Makes each dead server, and each that follows no master, a replica of the master. */
  @BeforeEach
  void restoreReplication() {
    LocalRedis master = redis.master();
    for (LocalRedis server : redis.servers()) {
      if (server != master && !isInStep(server)) {
        server.restart();
        server.command("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
        await().atMost(Duration.ofSeconds(60)).until(() -> isInStep(server));
      }
    }
  }

  private static boolean isInStep(LocalRedis server) {
    try {
      return server.command("INFO", "replication").contains("master_link_status:up");
    } catch (LocalServerException e) {
      return false; // dead
    }
  }

  private static RedisDedupStoreBuilder builder() {
    return new Deployment.Sentinel(redis).builder().commandTimeout(Duration.ofSeconds(1));
  }

  /** Claims after a failover, during which Sentinels may cut the connection once more. */
  private static List<ClaimAnswer> claim(RedisDedupStore store, List<ClaimRequest> requests) {
    return Marks.untilAnswered(() -> store.claim(requests, Marks.LEASE));
  }

  @Test
  void a_promoted_replica_loses_no_acknowledged_settlement() {
    try (RedisDedupStore store =
        builder().namespace("killed").replicas(1, Duration.ofSeconds(5)).build()) {
      assertThat(store.settle(Marks.done(store.claim(Marks.requests("done-", 300), Marks.LEASE))))
          .containsOnly(new SettleAnswer.Settled(false));
      List<Settlement> held = Marks.done(store.claim(Marks.requests("held-", 300), Marks.LEASE));

      redis.failOver();

      assertThat(Marks.untilAnswered(() -> store.settle(held)))
          .hasSize(300)
          .hasOnlyElementsOfType(SettleAnswer.Settled.class);
      assertThat(claim(store, Marks.requests("done-", 300)))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
      assertThat(claim(store, Marks.requests("held-", 300)))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
      assertThat(claim(store, Marks.requests("new-", 300))).hasOnlyElementsOfType(Acquired.class);
    }
  }

  @Test
  void a_mark_without_a_replica_costs_one_more_run_and_no_message() {
    List<StoreLoss> losses = new CopyOnWriteArrayList<>();
    try (RedisDedupStore store = builder().namespace("behind").build()) {
      store.listen(Marks.onLoss(losses::add));
      Claim kept = Marks.claim(store, "kept");
      Marks.settleDone(store, kept);
      awaitThatReplicasHave(kept);
      cutReplication();
      Claim lost = Marks.claim(store, "lost");
      Marks.settleDone(store, lost);
      Claim held = Marks.claim(store, "held");
      assertThat(losses).isEmpty();

      redis.failOver();

      assertThat(Marks.untilAnswered(() -> store.settle(List.of(Marks.done(held)))))
          .containsExactly(new SettleAnswer.Settled(true));
      assertThat(claim(store, List.of(Marks.request("kept"))))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
      Claim again = ((Acquired) claim(store, List.of(Marks.request("lost"))).get(0)).claim();
      assertThat(again.token()).isGreaterThan(lost.token());
      assertThat(losses).containsExactly(new StoreLoss("all shards", StoreLoss.Extent.LATEST));
      assertThat(Marks.untilAnswered(() -> store.settle(List.of(Marks.done(lost)))))
          .containsExactly(new SettleAnswer.Fenced(MarkState.PROCESSING));
      assertThat(Marks.untilAnswered(() -> store.settle(List.of(Marks.done(again)))))
          .containsExactly(new SettleAnswer.Settled(false));
      assertThat(claim(store, List.of(Marks.request("lost"))))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
    }
  }

  private static void awaitThatReplicasHave(Claim claim) {
    byte[] key = new Keyspace("behind", 1, new Layout.Strings())
        .done(0, List.of(claim.key()))
        .get(0);
    String name = new String(key, StandardCharsets.ISO_8859_1);
    for (LocalRedis server : redis.servers()) {
      await().until(() -> server.command("EXISTS", name).equals("1"));
    }
  }

  /** Cuts the links of the replicas and refuses new ones: only the master has its next writes. */
  private static void cutReplication() {
    LocalRedis master = redis.master();
    master.command("ACL", "SETUSER", "default", "-psync", "-sync");
    master.command("CLIENT", "KILL", "TYPE", "replica");
  }

  @Test
  void a_hanging_master_is_left_for_its_successor() {
    try (RedisDedupStore store = builder().namespace("hung").build()) {
      Claim claim = Marks.claim(store, "m");
      LocalRedis hung = redis.master();
      hung.pause();
      try {
        redis.awaitSuccessor(hung);

        assertThat(Marks.untilAnswered(() -> store.settle(List.of(Marks.done(claim)))))
            .hasOnlyElementsOfType(SettleAnswer.Settled.class);
      } finally {
        hung.kill();
      }
    }
  }
}
