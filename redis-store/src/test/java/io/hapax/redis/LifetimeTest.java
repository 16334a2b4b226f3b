package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalRedis;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the lifetime of marks, stores and clients, what a forgotten message leaves, and a store
 * that only reads.
 */
@Timeout(60)
class LifetimeTest {

  private static final String ID = "jane.doe@example.org";
  private static final String OWNER = "host-1/orders";
  private static final String RESULT = "charged the card of Jane Doe";

  private static final String CONTENT = """
      local all = {}
      for _, key in ipairs(redis.call('KEYS', '*')) do
        all[#all + 1] = key .. redis.call('DUMP', key)
      end
      return table.concat(all)""";

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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void neither_result_nor_id_nor_owner_are_left_in_redis(boolean compact) {
    try (LocalRedis redis = LocalRedis.start();
        RedisDedupStore store = open(redis, compact)) {
      Claim claim = Marks.claim(store, ID);
      assertThat(content(redis)).contains(ID, OWNER);
      store.settle(List.of(new Settlement(claim, new Verdict.Done(Bytes.utf8(RESULT)))));
      assertThat(content(redis)).contains(RESULT);

      assertThat(store.resolve(claim.key(), claim.token(), MarkState.DONE, Resolution.FORGET))
          .isTrue();

      assertThat(content(redis)).doesNotContain(ID, OWNER, RESULT);
      assertThat(store.find(List.of(claim.key())).get(0).orElseThrow().state())
          .isEqualTo(MarkState.DONE);
    }
  }

  private static RedisDedupStore open(LocalRedis redis, boolean compact) {
    RedisDedupStoreBuilder builder = RedisDedupStore.builder(Servers.uri(redis));
    return (compact ? builder.compact(10_000) : builder).build();
  }

  /** Returns keys and serialized values, without compression. */
  private static String content(LocalRedis redis) {
    redis.command("CONFIG", "SET", "rdbcompression", "no");
    return redis.command("EVAL", CONTENT, "0");
  }

  @Test
  void it_leaves_an_empty_server_empty() {
    try (DedupStore store = redis.builder().buildReadOnly();
        DedupStore compact = redis.builder().compact(10_000).buildReadOnly()) {
      assertThat(store.find(List.of(Marks.request("m").key()))).allMatch(it -> it.isEmpty());
      assertThat(store.list(MarkQuery.first("orders", MarkQuery.Kind.DEAD, 10))).isEmpty();
      assertThat(store.now(Marks.request("m").key())).isAfter(Instant.EPOCH);
      assertThat(compact.find(List.of(Marks.request("m").key()))).allMatch(it -> it.isEmpty());
    }

    assertThat(redis.command("DBSIZE")).isEqualTo("0");
  }

  @Test
  void it_reads_the_marks_of_others_and_the_servers_time() {
    try (DedupStore writing = redis.builder().build();
        DedupStore store = redis.builder().buildReadOnly()) {
      Marks.claim(writing, "held");
      MessageKey held = Marks.request("held").key();

      assertThat(store.find(List.of(held)).get(0)).isPresent();
      Instant read = store.now(held);
      Instant later = writing.now(held);
      assertThat(read).isBetween(later.minusSeconds(60), later);
    }
  }

  @Test
  void it_refuses_to_write() {
    try (DedupStore store = redis.builder().buildReadOnly()) {
      ClaimRequest request = Marks.request("m");

      assertThatThrownBy(() -> store.claim(List.of(request), Marks.LEASE))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("buildReadOnly()");
      assertThatThrownBy(() -> store.renew(List.of(), Marks.LEASE))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> store.settle(List.of()))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> store.resolve(request.key(), 1, MarkState.DEAD, Resolution.REOPEN))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> store.purge(1)).isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void another_layout_than_the_stored_one_is_refused() {
    redis.builder().compact(10_000).build().close();

    assertThatThrownBy(() -> redis.builder().buildReadOnly())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("are laid out as");
  }
}
