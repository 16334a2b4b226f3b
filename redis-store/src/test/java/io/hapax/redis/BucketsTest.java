package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalRedis;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the expiry and the growth of buckets. */
@Timeout(120)
class BucketsTest {

  private static final Duration RETENTION = Duration.ofDays(8);
  private static final Duration DUE = RETENTION.plus(RETENTION.dividedBy(8)).plusMinutes(1);
  private static final String BUCKET = "hapax{0}b0";

  @RegisterExtension
  static final EmptyRedis redis =
      new EmptyRedis(LocalRedis.builder().setting("hash-max-ziplist-entries", "128"));

  private static RedisDedupStoreBuilder builder() {
    return redis.builder().retention(RETENTION);
  }

  /** Opens a store whose marks are all in one bucket. */
  private static RedisDedupStore oneBucket() {
    return builder().compact(1).build();
  }

  private static void done(RedisDedupStore store, String prefix, int number) {
    for (int from = 0; from < number; from += 500) {
      List<ClaimRequest> requests =
          Marks.requests(prefix + from + "-", Math.min(500, number - from));
      assertThat(store.settle(Marks.done(store.claim(requests, Marks.LEASE))))
          .containsOnly(new SettleAnswer.Settled(false));
    }
  }

  private static long fields() {
    return Long.parseLong(redis.command("HLEN", BUCKET));
  }

  private static Duration life(String key) {
    return Duration.ofMillis(Long.parseLong(redis.command("PTTL", key)));
  }

  @Test
  void an_expired_mark_is_absent_before_it_is_removed() {
    try (RedisDedupStore store = oneBucket()) {
      Claim first = Marks.claim(store, "m");
      Marks.settleDone(store, first);
      store.setClock(RETENTION.minusMinutes(1));
      assertThat(store.find(List.of(first.key())).get(0)).isPresent();

      store.setClock(RETENTION.plusMinutes(1));

      assertThat(fields()).isEqualTo(2);
      assertThat(store.find(List.of(first.key()))).containsExactly(Optional.empty());
      assertThat(Marks.claim(store, "m").token()).isGreaterThan(first.token());
    }
  }

  @Test
  void later_writes_remove_marks_an_eighth_after_their_retention() {
    try (RedisDedupStore store = oneBucket()) {
      done(store, "old", 50);
      store.setClock(RETENTION.plusMinutes(1));
      done(store, "young", 1);
      assertThat(fields()).isEqualTo(52);

      store.setClock(DUE);
      done(store, "new", 1);

      assertThat(fields()).as("head, young and new").isEqualTo(3);
      assertThat(store.claim(Marks.requests("young0-", 1), Marks.LEASE))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
    }
  }

  @Test
  void marks_left_by_a_sweep_are_dropped_when_their_own_time_has_expired() {
    try (RedisDedupStore store = oneBucket()) {
      Duration half = RETENTION.dividedBy(2);
      done(store, "old", 1);
      store.setClock(half);
      done(store, "young", 1);
      store.setClock(DUE);
      done(store, "new", 1);
      assertThat(fields()).as("head, young and new").isEqualTo(3);

      store.setClock(half.plus(DUE));
      done(store, "newer", 1);

      assertThat(fields()).as("head, new and newer").isEqualTo(3);
    }
  }

  @Test
  void a_bucket_that_has_grown_is_correct_and_is_swept_in_steps() {
    try (RedisDedupStore store = oneBucket()) {
      done(store, "old", 3000);
      assertThat(redis.command("OBJECT", "ENCODING", BUCKET)).isEqualTo("hashtable");
      assertThat(store.claim(Marks.requests("old500-", 500), Marks.LEASE))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);

      store.setClock(DUE);
      done(store, "new", 1);
      assertThat(fields()).as("one step").isBetween(2000L, 2990L);
      for (int i = 0; i < 100; i++) {
        done(store, "new" + i, 1);
      }

      assertThat(fields()).isEqualTo(102);
      assertThat(redis.command("HGET", BUCKET, "h")).hasSize(14);
    }
  }

  @Test
  void purge_empties_a_bucket_that_has_grown_and_takes_the_bucket_away() {
    try (RedisDedupStore store = oneBucket()) {
      done(store, "m", 6000);
      store.setClock(RETENTION.plusMinutes(1));

      assertThat(store.purge(1500)).isEqualTo(1500);
      assertThat(store.purge(10_000)).isEqualTo(4500);

      assertThat(redis.command("EXISTS", BUCKET)).isEqualTo("0");
    }
  }

  @Test
  void a_bucket_lives_a_retention_longer_than_its_last_mark() {
    try (RedisDedupStore store = oneBucket()) {
      done(store, "m", 1);
      assertThat(life(BUCKET)).isBetween(RETENTION, DUE);
      redis.command("PEXPIRE", BUCKET, "1000000"); // as if time had passed
      done(store, "soon", 1);
      assertThat(life(BUCKET)).isLessThan(RETENTION);

      store.setClock(RETENTION.dividedBy(4));
      done(store, "later", 1);

      assertThat(life(BUCKET)).isBetween(RETENTION, DUE);
    }
  }

  @Test
  void the_server_removes_a_bucket_without_writes() {
    try (RedisDedupStore store =
        builder().retention(Duration.ofMillis(40)).compact(1).build()) {
      done(store, "m", 10);

      await().until(() -> redis.command("EXISTS", BUCKET).equals("0"));
    }
  }

  @Test
  void a_result_has_a_key_of_its_own_that_goes_with_its_mark() {
    try (RedisDedupStore store = oneBucket()) {
      Claim claim = Marks.claim(store, "m");
      Bytes result = Bytes.utf8("r".repeat(1000));
      store.settle(List.of(new Settlement(claim, new Verdict.Done(result))));
      String key = redis.command("KEYS", "hapax{0}r*");
      assertThat(life(key)).isBetween(RETENTION.minusMinutes(1), RETENTION.plusSeconds(1));
      assertThat(redis.command("OBJECT", "ENCODING", BUCKET)).isIn("ziplist", "listpack");
      ClaimAnswer answer = store.claim(List.of(Marks.request("m")), Marks.LEASE).get(0);
      assertThat(((ClaimAnswer.Done) answer).result()).isEqualTo(result);

      assertThat(store.resolve(claim.key(), claim.token(), MarkState.DONE, Resolution.REOPEN))
          .isTrue();

      assertThat(redis.command("EXISTS", key)).isEqualTo("0");
      assertThat(fields()).as("the head").isEqualTo(1);
    }
  }

  @Test
  void another_number_of_buckets_or_another_layout_is_refused_by_name() {
    builder().compact(1_000_000).build().close();
    assertThat(redis.command("GET", "hapax:layout"))
        .isEqualTo("version=2 marks=compact shards=1 buckets=15625");

    assertThatThrownBy(() -> builder().compact(2_000_000).build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("buckets=15625")
        .hasMessageContaining("buckets=31250");
    assertThatThrownBy(() -> builder().build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("marks=compact")
        .hasMessageContaining("marks=strings");
    builder().compact(1_000_000).build().close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 30})
  void another_retention_is_refused_with_instructions_to_change_it(long days) {
    try (RedisDedupStore store = oneBucket()) {
      done(store, "m", 10);
      store.setClock(Duration.ofDays(2));

      assertThat(redis.command("GET", "hapax:retention")).isEqualTo("691200000");
      assertThatThrownBy(
              () -> builder().retention(Duration.ofDays(days)).compact(1).build())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("retention is " + Duration.ofDays(days))
          .hasMessageContaining("PT192H")
          .hasMessageContaining("all stores of namespace 'hapax' must have the same")
          .hasMessageContaining("stop them all")
          .hasMessageContaining("SET hapax:retention " + Duration.ofDays(days).toMillis());

      oneBucket().close();
      assertThat(store.claim(Marks.requests("m0-", 10), Marks.LEASE))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
    }
  }

  @Test
  void a_retention_that_an_operator_has_written_counts() {
    oneBucket().close();
    Duration longer = Duration.ofDays(30);
    redis.command("SET", "hapax:retention", Long.toString(longer.toMillis()));

    builder().retention(longer).compact(1).build().close();
    assertThatThrownBy(BucketsTest::oneBucket).isInstanceOf(StoreException.class);

    redis.command("SET", "hapax:retention", "a month");
    assertThatThrownBy(BucketsTest::oneBucket)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("'a month'");
  }

  @Test
  void another_namespace_and_marks_as_strings_may_have_another_retention() {
    oneBucket().close();
    Duration day = Duration.ofDays(1);
    builder().namespace("other").retention(day).compact(1).build().close();
    builder().namespace("strings").build().close();

    builder().namespace("strings").retention(day).build().close();

    assertThat(redis.command("EXISTS", "strings:retention")).isEqualTo("0");
  }

  @Test
  void settings_that_would_blow_buckets_up_are_named_and_refused_when_strict() {
    String kind = redis.command("INFO", "server").contains("redis_version:6") ? "zip" : "list";
    String name = "hash-max-" + kind + (kind.equals("zip") ? "list" : "pack");
    try (LocalRedis small = LocalRedis.builder()
        .setting("hash-max-ziplist-entries", "64")
        .setting("hash-max-ziplist-value", "32")
        .start()) {
      assertThatThrownBy(() ->
              RedisDedupStore.builder(Servers.uri(small)).strict().compact(1000).build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(name + "-entries is 64")
          .hasMessageContaining(name + "-value is 32");
      RedisDedupStore.builder(Servers.uri(small)).compact(1000).build().close();
    }
    builder().strict().compact(1000).build().close();
  }

  @Test
  void what_cannot_be_expected_is_refused() {
    assertThatThrownBy(() -> builder().compact(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("compact is 0");
  }
}
