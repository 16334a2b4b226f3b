package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.store.StoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Checks the lifetime of marks, stores and clients. */
@Timeout(60)
class LifetimeTest {

  @RegisterExtension
  static final EmptyRedis redis = new EmptyRedis();

  private static List<Long> lives() {
    return redis
        .command("KEYS", "hapax{*")
        .lines()
        .map(key -> Long.parseLong(redis.command("PTTL", key)))
        .toList();
  }

  @Test
  void an_open_mark_has_no_expiry_and_a_done_mark_that_of_the_retention() {
    Duration retention = Duration.ofDays(3);
    try (RedisDedupStore store = redis.builder().retention(retention).build()) {
      Claim claim = Marks.claim(store, "m");
      assertThat(lives()).hasSizeGreaterThan(1).containsOnly(-1L);

      Marks.settleDone(store, claim);

      assertThat(lives().stream().filter(life -> life != -1))
          .singleElement()
          .satisfies(life ->
              assertThat(Duration.ofMillis(life)).isBetween(retention.minusMinutes(1), retention));
    }
  }

  @Test
  void the_server_forgets_a_done_mark_by_itself_and_the_next_token_is_greater() {
    try (RedisDedupStore store =
        redis.builder().retention(Duration.ofMillis(50)).build()) {
      Claim first = Marks.claim(store, "m");
      Marks.settleDone(store, first);

      await().until(() -> store.find(List.of(first.key())).equals(List.of(Optional.empty())));

      assertThat(Marks.claim(store, "m").token()).isGreaterThan(first.token());
      assertThat(store.purge(10)).isZero();
    }
  }

  @Test
  void an_open_mark_leaves_nothing_when_it_is_done() {
    try (RedisDedupStore store = redis.builder().build()) {
      Marks.settleDone(store, Marks.claim(store, "m"));

      assertThat(redis.command("KEYS", "*").lines())
          .hasSize(3)
          .contains("hapax:layout", "hapax{0}canary");
    }
  }

  @Test
  void a_client_of_the_caller_stays_open() {
    try (RedisClient client = RedisClient.create(redis.uri())) {
      RedisDedupStore.builder(client).build().close();

      try (RedisDedupStore second = RedisDedupStore.builder(client).build()) {
        Marks.claim(second, "m");
      }
    }
  }

  @Test
  void another_layout_is_refused_by_its_name() {
    redis.builder().namespace("sized").shards(8).build().close();

    assertThatThrownBy(() -> redis.builder().namespace("sized").build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("shards=8")
        .hasMessageContaining("shards=1");
    redis.builder().namespace("sized").shards(8).build().close();
  }

  @Test
  void marks_of_the_version_before_are_refused_and_left_as_they_are() {
    redis.command("SET", "old:layout", "version=1 marks=strings shards=1");

    assertThatThrownBy(() -> redis.builder().namespace("old").build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("version=1")
        .hasMessageContaining("version=2");
    assertThat(redis.command("KEYS", "old*")).isEqualTo("old:layout");
  }

  @Test
  void settings_that_break_their_rule_are_named() {
    assertThatThrownBy(() -> redis.builder().namespace("a{b}").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("namespace is 'a{b}'");
    assertThatThrownBy(() -> redis.builder().shards(0).build()).hasMessageContaining("shards is 0");
    assertThatThrownBy(() -> redis.builder().retention(Duration.ZERO).build())
        .hasMessageContaining("retention is PT0S");
    assertThatThrownBy(() -> redis.builder().commandTimeout(Duration.ofDays(1)).build())
        .hasMessageContaining("commandTimeout is PT24H");
  }

  @Test
  void a_missing_server_is_a_store_exception_without_the_password() {
    RedisURI uri = RedisURI.create("redis://app:secret@127.0.0.1:1");

    assertThatThrownBy(() -> RedisDedupStore.builder(uri).build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("127.0.0.1")
        .hasMessageNotContaining("secret");
  }
}
