package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.SettleAnswer;
import io.hapax.servers.LocalRedis;
import io.hapax.store.StoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Replaces a master that stays alive and keeps its connections. An address leads each new
 * connection to the present master, as a name or Sentinels do.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
class DemotedMasterTest {

  private LocalRedis first;
  private LocalRedis second;
  private volatile int master;
  private ClientResources resources;
  private RedisClient client;

  @BeforeEach
  void start() {
    first = LocalRedis.start();
    second = Servers.replicaOf(first);
    master = first.port();
    resources = ClientResources.builder()
        .socketAddressResolver(new SocketAddressResolver() {
          @Override
          public SocketAddress resolve(RedisURI uri) {
            return new InetSocketAddress(uri.getHost(), master);
          }
        })
        .build();
    client = RedisClient.create(resources, Servers.uri(first));
    client.setOptions(Clients.standaloneOptions());
  }

  @AfterEach
  void close() {
    client.shutdown();
    resources.shutdown(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    second.close();
    first.close();
  }

  /** Claims on the first server, and settles after the second one has replaced it. */
  private void assertThatItIsLeft(Runnable demotion, String answer) {
    try (RedisDedupStore store = RedisDedupStore.builder(client).build()) {
      Claim claim = Marks.claim(store, "m");
      second.command("REPLICAOF", "NO", "ONE");
      demotion.run();
      master = second.port();

      assertThatThrownBy(() -> store.settle(List.of(Marks.done(claim))))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(answer);
      assertThat(Marks.untilAnswered(() -> store.settle(List.of(Marks.done(claim)))))
          .hasOnlyElementsOfType(SettleAnswer.Settled.class);
      assertThat(first.command("INFO", "server")).as("it stays alive").isNotEmpty();
    }
  }

  @Test
  void a_master_that_became_a_replica_is_left() {
    assertThatItIsLeft(() -> follow(second.port()), "READONLY");
  }

  @Test
  void a_replica_that_has_lost_its_master_is_left() {
    assertThatItIsLeft(
        () -> {
          first.command("CONFIG", "SET", "replica-serve-stale-data", "no");
          follow(1);
        },
        "MASTERDOWN");
  }

  @Test
  void a_master_that_is_cut_off_from_its_replicas_is_left() {
    assertThatItIsLeft(
        () -> {
          first.command("CONFIG", "SET", "min-replicas-to-write", "1");
          await()
              .untilAsserted(() ->
                  assertThat(first.command("INFO", "replication")).contains("connected_slaves:0"));
        },
        "NOREPLICAS");
  }

  @Test
  void a_server_that_loads_the_data_of_its_new_master_is_left() {
    assertThatItIsLeft(
        () -> {
          second.command("CONFIG", "SET", "rdbcompression", "no");
          second.command("DEBUG", "POPULATE", "40", "filler", "1000000");
          second.command("DEBUG", "CHANGE-REPL-ID"); // so that all data is transferred
          first.command("CONFIG", "SET", "key-load-delay", "500000"); // microseconds for each key
          follow(second.port());
          await()
              .atMost(Duration.ofSeconds(30))
              .until(() -> first.command("INFO", "persistence").contains("loading:1"));
        },
        "LOADING");
  }

  private void follow(int port) {
    first.command("REPLICAOF", "127.0.0.1", Integer.toString(port));
  }

  @Test
  void a_store_that_is_built_on_a_replica_reports_a_replica() {
    assertThatThrownBy(() -> RedisDedupStore.builder(Servers.uri(second)).build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("read only replica")
        .hasMessageNotContaining("permission");
  }
}
