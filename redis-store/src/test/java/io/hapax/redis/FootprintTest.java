package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.servers.LocalRedis;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Measures the memory of DONE marks. The tables are as full as with a million marks, in a quarter
 * of the time.
 */
@Timeout(300)
class FootprintTest {

  private static final int MARKS = 250_000;
  private static final int BATCH = 500;

  @Test
  void a_done_mark_costs_at_most_165_bytes() {
    assertThat(bytesOfAMark("strings", builder -> builder))
        .as("bytes of a mark; an allocator with coarser sizes takes 161")
        .isLessThanOrEqualTo(165);
  }

  @Test
  void a_done_mark_in_a_bucket_costs_at_most_48_bytes() {
    assertThat(bytesOfAMark("compact", builder -> builder.compact(MARKS))).isLessThanOrEqualTo(48);
  }

  private static double bytesOfAMark(
      String layout, UnaryOperator<RedisDedupStoreBuilder> settings) {
    try (LocalRedis redis = LocalRedis.builder().setting("appendonly", "no").start();
        RedisDedupStore store =
            settings.apply(RedisDedupStore.builder(Servers.uri(redis))).build()) {
      long before = usedMemory(redis);
      long claiming = 0;
      long settling = 0;
      for (int from = 0; from < MARKS; from += BATCH) {
        List<ClaimRequest> requests = Marks.requests("order-" + from + "-", BATCH);
        long start = System.nanoTime();
        List<ClaimAnswer> claims = store.claim(requests, Marks.LEASE);
        long claimed = System.nanoTime();
        store.settle(Marks.done(claims));
        claiming += claimed - start;
        settling += System.nanoTime() - claimed;
      }
      double bytes = (double) (usedMemory(redis) - before) / MARKS;
      System.out.printf(
          "%d DONE marks, %s: %.1f bytes each; batch %d, one thread: %.0f claims/s, %.0f settles/s%n",
          MARKS, layout, bytes, BATCH, MARKS * 1e9 / claiming, MARKS * 1e9 / settling);
      assertThat(store.claim(Marks.requests("order-0-", BATCH), Marks.LEASE))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
      return bytes;
    }
  }

  private static long usedMemory(LocalRedis redis) {
    return redis
        .command("INFO", "memory")
        .lines()
        .filter(line -> line.startsWith("used_memory:"))
        .mapToLong(
            line -> Long.parseLong(line.substring("used_memory:".length()).strip()))
        .findFirst()
        .orElseThrow();
  }
}
