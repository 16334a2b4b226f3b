package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.servers.LocalServer;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the warnings about a server that may lose marks. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
class ServerCheckTest {

  private static RedisDedupStoreBuilder strict(LocalRedis redis) {
    return RedisDedupStore.builder(Servers.uri(redis)).strict();
  }

  @Test
  void a_server_that_forgets_nothing_is_accepted() {
    strict(Servers.shared()).namespace("strict").build().close();
  }

  @Test
  void eviction_is_refused_when_strict_and_warned_of_otherwise() {
    try (LocalRedis redis =
        LocalRedis.builder().setting("maxmemory-policy", "allkeys-lru").start()) {
      assertThatThrownBy(() -> strict(redis).build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("maxmemory-policy is allkeys-lru")
          .hasMessageContaining("noeviction");
      try (RedisDedupStore store = RedisDedupStore.builder(Servers.uri(redis)).build();
          DedupStore reader = RedisDedupStore.builder(Servers.uri(redis)).buildReadOnly()) {
        assertThat(store.warnings())
            .singleElement()
            .asString()
            .startsWith("maxmemory-policy is allkeys-lru");
        assertThat(reader.warnings()).isEqualTo(store.warnings());
      }
    }
  }

  @Test
  void a_warning_names_the_setting_and_what_it_risks() throws Exception {
    try (LocalRedis full =
            LocalRedis.builder().setting("maxmemory-policy", "allkeys-lru").start();
        LocalRedis lazy = LocalRedis.builder().setting("appendfsync", "no").start()) {
      String output = OtherJvm.output(
          OpenStoresMain.class,
          "warn",
          full.port(),
          lazy.port(),
          Servers.shared().port());

      assertThat(output.lines())
          .containsExactly(
              warning("maxmemory-policy is allkeys-lru: a full server drops marks, and their"
                  + " messages may run once more; set noeviction"),
              warning("appendfsync is no: a crash of the machine forgets the marks of the last half"
                  + " minute; set everysec or always"));
    }
  }

  private static String warning(String text) {
    return "[main] WARN io.hapax.redis.Session - Redis may forget marks: " + text;
  }

  @ParameterizedTest
  @CsvSource({
    "appendonly no, appendonly is no and save is empty",
    "appendonly no save 60 1, appendonly is no: a crash forgets",
    "appendfsync no, appendfsync is no",
    "no-appendfsync-on-rewrite yes, no-appendfsync-on-rewrite is yes"
  })
  void settings_that_lose_writes_are_refused_when_strict(String settings, String message) {
    LocalServer.Builder<LocalRedis> builder = LocalRedis.builder();
    String[] words = settings.split(" ", 4);
    for (int i = 0; i < words.length; i += 2) {
      builder.setting(words[i], words[i + 1]);
    }
    try (LocalRedis redis = builder.start()) {
      assertThatThrownBy(() -> strict(redis).build()).hasMessageContaining(message);
    }
  }

  @Test
  void a_master_that_takes_writes_without_its_replica_is_refused_when_strict() {
    try (LocalRedis master = LocalRedis.start();
        LocalRedis replica = Servers.replicaOf(master)) {
      assertThat(replica.command("INFO", "replication")).contains("master_link_status:up");

      assertThatThrownBy(() -> strict(master).build())
          .hasMessageContaining("min-replicas-to-write is 0");
      master.command("CONFIG", "SET", "min-replicas-to-write", "1");
      strict(master).build().close();
      master.command("CONFIG", "SET", "min-replicas-max-lag", "0");
      assertThatThrownBy(() -> strict(master).build())
          .hasMessageContaining("min-replicas-max-lag is 0");
    }
  }

  @Test
  void settings_that_cannot_be_read_are_reported_as_unknown() {
    try (LocalRedis redis = LocalRedis.start()) {
      redis.command("ACL", "SETUSER", "app", "on", ">secret", "~hapax*", "+@all", "-config");
      RedisURI uri = Servers.uri(redis);
      uri.setCredentialsProvider(new StaticCredentialsProvider("app", "secret".toCharArray()));

      assertThatThrownBy(() -> RedisDedupStore.builder(uri).strict().build())
          .hasMessageContaining("CONFIG GET")
          .hasMessageContaining("is unknown")
          .hasMessageNotContaining("secret");
      RedisDedupStore.builder(uri).build().close();
    }
  }

  @Test
  void replicas_that_are_waited_for_and_are_not_there_are_refused_when_strict() {
    try (LocalRedis redis = LocalRedis.start()) {
      assertThatThrownBy(() -> strict(redis).replicas(1, Duration.ofMillis(100)).build())
          .hasMessageContaining("connected replicas are 0 but each settlement waits for 1");
    }
  }

  @Test
  void every_master_of_a_cluster_is_checked_and_named() {
    try (LocalRedisCluster cluster = LocalRedisCluster.start(3)) {
      RedisDedupStoreBuilder strict =
          RedisDedupStore.clusterBuilder(Servers.uris(cluster)).strict();
      LocalRedis second = cluster.nodes().get(1);
      LocalRedis third = cluster.nodes().get(2);
      strict.build().close();
      second.command("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
      third.kill();

      assertThatThrownBy(strict::build)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(second.port() + ": maxmemory-policy is volatile-lru")
          .hasMessageContaining(third.port() + ": cannot be reached")
          .hasMessageNotContaining(Integer.toString(cluster.nodes().get(0).port()));
    }
  }
}
