package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.redis.Layout.Compact;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks where marks are stored, and what distinguishes two messages. */
class LayoutTest {

  @ParameterizedTest
  @CsvSource({
    "1, 1, 16",
    "1, 255, 16",
    "1, 256, 15",
    "3, 86, 15",
    "64, 245, 15",
    "7, 9363, 14",
    "64, 1024, 14",
    "1, 16777216, 13"
  })
  void bucket_and_field_together_identify_every_store_key(int shards, int buckets, int fieldBytes) {
    long all = (long) shards * buckets;
    int kept = 8 * (fieldBytes - 8);
    Random random = new Random(7);

    assertThat(new Compact(buckets).fieldBytes(shards)).isEqualTo(fieldBytes);
    for (int i = 0; i < 20 && kept < 64; i++) {
      long field = random.nextLong() & ((1L << kept) - 1);
      Set<Long> used = new HashSet<>();
      long most = Math.min(1L << (64 - kept), 1 << 16);
      for (long begin = 0; begin < most; begin++) {
        assertThat(used.add(Keyspace.part((begin << kept) | field, all))).isTrue();
      }
    }
  }

  @Test
  void buckets_share_the_marks_evenly_and_lie_with_their_shard() {
    Keyspace keyspace = new Keyspace("hapax", 3, new Compact(10));
    List<String> buckets = new ArrayList<>();
    IntStream.range(0, 3000).mapToObj(i -> Marks.request("m" + i).key()).forEach(key -> {
      String bucket = new String(keyspace.bucketOf(key, 10), StandardCharsets.US_ASCII);
      assertThat(bucket).startsWith("hapax{" + keyspace.shardOf(key) + "}b");
      buckets.add(bucket);
    });

    assertThat(Set.copyOf(buckets)).hasSize(30).contains("hapax{0}b0", "hapax{2}b9");
    assertThat(Set.copyOf(buckets))
        .allSatisfy(bucket ->
            assertThat(buckets.stream().filter(bucket::equals).count()).isBetween(60L, 150L));
  }

  @Test
  void an_oversized_bucket_causes_one_warning() {
    List<String> warnings = new ArrayList<>();
    LongConsumer bucketSizes =
        new HashEncoding("hash-max-ziplist-entries", 512, List.of()).sizes(warnings::add);

    bucketSizes.accept(512);
    assertThat(warnings).isEmpty();
    bucketSizes.accept(513);
    bucketSizes.accept(514);

    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("513 fields", "hash-max-ziplist-entries is 512");
  }

  @Test
  void a_settlement_reports_the_size_of_its_bucket() {
    List<String> warnings = new ArrayList<>();
    LongConsumer bucketSizes = new HashEncoding("entries", 2, List.of()).sizes(warnings::add);
    try (FrozenTime time = new FrozenTime(Servers.shared())) {
      time.set(1_795_000_000_000_000L);
      ScriptVerbs verbs =
          new ScriptVerbs(time.executor("crowded", true, Duration.ofDays(8), bucketSizes));

      verbs.settle(Marks.done(verbs.claim(Marks.requests("one", 1), Marks.LEASE)));
      assertThat(warnings).as("its head and one mark").isEmpty();
      verbs.settle(Marks.done(verbs.claim(Marks.requests("two", 1), Marks.LEASE)));

      assertThat(warnings).singleElement().asString().contains("3 fields");
    }
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
