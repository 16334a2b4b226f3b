package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalRedis;
import io.hapax.store.StoreException;
import io.hapax.testkit.fault.FaultProxy;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Checks settlements and decisions that wait for a replica, and masters that it replaces. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
class ReplicasTest {

  private volatile int present;
  private LocalRedis master;
  private LocalRedis replica;

  @BeforeEach
  void start() {
    master = LocalRedis.start();
    replica = Servers.replicaOf(master);
  }

  @AfterEach
  void close() {
    replica.close();
    master.close();
  }

  private RedisDedupStoreBuilder builder(Duration patience) {
    return RedisDedupStore.builder(Servers.uri(master)).replicas(1, patience);
  }

  @Test
  void settled_marks_survive_on_the_promoted_replica() {
    try (RedisDedupStore store = builder(Duration.ofSeconds(20)).build()) {
      List<ClaimAnswer> claims = store.claim(Marks.requests("m", 500), Marks.LEASE);
      assertThat(store.settle(Marks.done(claims)))
          .hasSize(500)
          .containsOnly(new SettleAnswer.Settled(false));
    }
    master.kill();
    replica.command("REPLICAOF", "NO", "ONE");

    try (RedisDedupStore there = RedisDedupStore.builder(Servers.uri(replica)).build()) {
      assertThat(there.claim(Marks.requests("m", 500), Marks.LEASE))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
    }
  }

  @Test
  void a_settlement_fails_until_the_replica_is_back() {
    try (RedisDedupStore store = builder(Duration.ofMillis(200)).build()) {
      Claim claim = Marks.claim(store, "m");
      replica.pause();
      try {
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(() -> store.settle(List.of(Marks.done(claim))))
              .isInstanceOf(StoreException.class)
              .hasMessageContaining("0 of 1 replicas");
        }
      } finally {
        replica.resume();
      }
      untilTheReplicaHasIt(() -> Marks.settleDone(store, claim));
    }
  }

  @Test
  void a_decision_is_acted_upon_only_when_the_replica_has_it() {
    try (RedisDedupStore store = builder(Duration.ofMillis(200)).build()) {
      Claim claim = Marks.claim(store, "m");
      Settlement dead = new Settlement(claim, new Verdict.Dead("no such item"));
      untilTheReplicaHasIt(() -> store.settle(List.of(dead)));
      replica.pause();
      try {
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(() -> reopen(store, claim.key()))
              .isInstanceOf(StoreException.class)
              .hasMessageContaining("0 of 1 replicas");
        }
      } finally {
        replica.resume();
      }
      untilTheReplicaHasIt(() -> assertThat(reopen(store, claim.key())).isTrue());
    }
    master.kill();
    replica.command("REPLICAOF", "NO", "ONE");

    try (RedisDedupStore there = RedisDedupStore.builder(Servers.uri(replica)).build()) {
      Marks.claim(there, "m");
    }
  }

  private static void untilTheReplicaHasIt(ThrowingRunnable step) {
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .untilAsserted(step);
  }

  private static boolean reopen(RedisDedupStore store, MessageKey key) {
    Mark mark = store.find(List.of(key)).get(0).orElseThrow();
    return store.resolve(key, mark.claim().token(), mark.state(), Resolution.REOPEN);
  }

  @Test
  void a_wait_that_is_sent_again_on_a_new_connection_proves_nothing() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (FaultProxy proxy = FaultProxy.before(master.port())) {
      RedisClient client = RedisClient.create(Servers.uri(proxy.port()));
      try (RedisDedupStore store =
          RedisDedupStore.builder(client).replicas(1, Duration.ofSeconds(10)).build()) {
        Marks.settleDone(store, Marks.claim(store, "so that the server knows the scripts"));
        Claim claim = Marks.claim(store, "m");
        replica.pause();
        proxy.cancel();
        Future<List<SettleAnswer>> settling =
            thread.submit(() -> store.settle(List.of(Marks.done(claim))));
        await().until(() -> master.command("INFO", "clients").contains("blocked_clients:1"));
        await().until(() -> proxy.replyLengths().stream().anyMatch(bytes -> bytes > 0));

        proxy.hangUp();

        assertThatThrownBy(() -> settling.get(30, TimeUnit.SECONDS))
            .hasCauseInstanceOf(StoreException.class)
            .hasMessageContaining("the connection changed");
      } finally {
        replica.resume();
        client.shutdown();
      }
    } finally {
      thread.shutdownNow();
    }
  }

  /** Returns resources that lead each new connection to the present master, as a name does. */
  private ClientResources leadingToPresent() {
    return ClientResources.builder()
        .socketAddressResolver(new SocketAddressResolver() {
          @Override
          public SocketAddress resolve(RedisURI uri) {
            return new InetSocketAddress(uri.getHost(), present);
          }
        })
        .build();
  }

  /** Claims on a master that stays alive, and settles after the replica has replaced it. */
  private void assertThatItIsLeft(Runnable demotion, String answer) {
    present = master.port();
    ClientResources resources = leadingToPresent();
    RedisClient client = RedisClient.create(resources, Servers.uri(master));
    client.setOptions(Clients.standaloneOptions());
    try (RedisDedupStore store = RedisDedupStore.builder(client).build()) {
      Claim claim = Marks.claim(store, "m");
      replica.command("REPLICAOF", "NO", "ONE");
      demotion.run();
      present = replica.port();

      assertThatThrownBy(() -> store.settle(List.of(Marks.done(claim))))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(answer);
      assertThat(Marks.untilAnswered(() -> store.settle(List.of(Marks.done(claim)))))
          .hasOnlyElementsOfType(SettleAnswer.Settled.class);
      assertThat(master.command("INFO", "server")).as("it stays alive").isNotEmpty();
    } finally {
      client.shutdown();
      resources.shutdown(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  @Test
  void a_master_that_became_a_replica_is_left() {
    assertThatItIsLeft(() -> follow(replica.port()), "READONLY");
  }

  @Test
  void a_replica_that_has_lost_its_master_is_left() {
    assertThatItIsLeft(
        () -> {
          master.command("CONFIG", "SET", "replica-serve-stale-data", "no");
          follow(1);
        },
        "MASTERDOWN");
  }

  @Test
  void a_master_that_is_cut_off_from_its_replicas_is_left() {
    assertThatItIsLeft(
        () -> {
          master.command("CONFIG", "SET", "min-replicas-to-write", "1");
          await()
              .untilAsserted(() ->
                  assertThat(master.command("INFO", "replication")).contains("connected_slaves:0"));
        },
        "NOREPLICAS");
  }

  @Test
  void a_server_that_loads_the_data_of_its_new_master_is_left() {
    assertThatItIsLeft(
        () -> {
          replica.command("CONFIG", "SET", "rdbcompression", "no");
          replica.command("DEBUG", "POPULATE", "40", "filler", "1000000");
          replica.command("DEBUG", "CHANGE-REPL-ID"); // so that all data is transferred
          master.command("CONFIG", "SET", "key-load-delay", "500000"); // microseconds for each key
          follow(replica.port());
          await()
              .atMost(Duration.ofSeconds(30))
              .until(() -> master.command("INFO", "persistence").contains("loading:1"));
        },
        "LOADING");
  }

  private void follow(int port) {
    master.command("REPLICAOF", "127.0.0.1", Integer.toString(port));
  }

  @Test
  void a_store_that_is_built_on_a_replica_reports_a_replica() {
    assertThatThrownBy(() -> RedisDedupStore.builder(Servers.uri(replica)).build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("read only replica")
        .hasMessageNotContaining("permission");
  }
}
