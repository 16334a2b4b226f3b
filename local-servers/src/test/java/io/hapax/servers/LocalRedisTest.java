package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("nightly")
@Timeout(120)
class LocalRedisTest {

  private static LocalRedis redis;

  @BeforeAll
  static void start() {
    redis = LocalRedis.start();
  }

  @AfterAll
  static void close() {
    redis.close();
  }

  @ParameterizedTest
  @CsvSource({
    "appendonly, yes",
    "appendfsync, everysec",
    "maxmemory-policy, noeviction",
    "bind, 127.0.0.1"
  })
  void is_durable_and_loses_nothing_by_default(String setting, String value) {
    assertThat(redis.command("CONFIG", "GET", setting)).isEqualTo(setting + "\n" + value);
  }

  @Test
  void an_error_says_what_was_refused_and_why() {
    assertThatThrownBy(() -> redis.command("EVAL", "syntax error", "0"))
        .isInstanceOf(LocalServerException.class)
        .hasMessageContaining("EVAL")
        .hasMessageContaining("compiling script");
  }

  @Test
  void one_that_wants_a_password_counts_as_started() {
    try (LocalRedis closed =
        LocalRedis.builder().setting("requirepass", "secret").start()) {
      assertThatThrownBy(() -> closed.command("GET", "x")).hasMessageContaining("NOAUTH");
    }
  }

  @Test
  void there_is_a_binary_for_each_system_that_servers_run_on() {
    for (String system : List.of("Linux", "Mac OS X")) {
      for (String architecture : List.of("amd64", "aarch64")) {
        assertThat(Binaries.redis(system, architecture))
            .satisfies(name -> Resources.open(name).close());
      }
    }
  }

  @Test
  void a_cluster_has_every_slot_and_each_of_its_nodes_some() {
    try (LocalRedisCluster cluster = LocalRedisCluster.start(3)) {
      Set<Integer> owners = IntStream.range(0, 100)
          .mapToObj(i -> cluster.nodes().stream()
              .filter(node -> owns(node, "key" + i))
              .map(LocalRedis::port)
              .toList())
          .peek(ports -> assertThat(ports).hasSize(1))
          .map(ports -> ports.get(0))
          .collect(Collectors.toSet());

      assertThat(owners)
          .containsExactlyInAnyOrderElementsOf(
              cluster.nodes().stream().map(LocalRedis::port).toList());
    }
  }

  @Test
  void the_replica_of_a_killed_master_takes_its_slots() {
    try (LocalRedisCluster cluster = LocalRedisCluster.startWithReplicas(3)) {
      LocalRedis victim = cluster.nodes().get(1);
      String key = IntStream.range(0, 100)
          .mapToObj(i -> "key" + i)
          .filter(it -> owns(victim, it))
          .findFirst()
          .orElseThrow();

      LocalRedis successor = cluster.failOver(victim);

      assertThat(cluster.replicas()).contains(successor);
      assertThat(owns(successor, key)).isTrue();
    }
  }

  private static boolean owns(LocalRedis node, String key) {
    try {
      return node.command("SET", key, "v").equals("OK");
    } catch (LocalServerException e) {
      assertThat(e).hasMessageContaining("MOVED");
      return false;
    }
  }

  @Test
  void the_sentinels_promote_a_replica_of_a_killed_master() {
    try (LocalRedisSentinel redis = LocalRedisSentinel.start(1)) {
      LocalRedis first = redis.master();
      LocalRedis second = redis.servers().get(1);
      first.command("SET", "kept", "v");
      assertThat(first.command("WAIT", "1", "10000")).isEqualTo("1");

      assertThat(redis.failOver()).isSameAs(second);

      assertThat(second.command("GET", "kept")).isEqualTo("v");
      assertThat(second.command("SET", "new", "v")).isEqualTo("OK");
    }
  }
}
