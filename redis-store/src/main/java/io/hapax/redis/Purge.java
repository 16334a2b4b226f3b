package io.hapax.redis;

import static io.hapax.redis.Executor.ascii;

import io.hapax.redis.Layout.Compact;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Goes through the buckets, from where the last call stopped and at most once round, and drops what
 * is past its retention. A script looks at some buckets only, so nobody waits for it long.
 */
final class Purge implements IntUnaryOperator {

  private static final int BUCKETS = 32;
  private static final int FIELDS = 4096;

  private final Executor executor;
  private final int buckets;
  private long next;

  Purge(Executor executor, Compact layout) {
    this.executor = executor;
    this.buckets = layout.buckets();
  }

  @Override
  public synchronized int applyAsInt(int limit) {
    long all = (long) buckets * executor.keyspace().shards();
    int dropped = 0;
    for (long seen = 0; seen < all && dropped < limit; ) {
      long from = next;
      List<byte[]> keys = keys(from);
      next = (from + keys.size()) % all; // also if there is no answer: the other shards go on
      List<Object> said =
          executor.one(Script.PURGE, keys, List.of(ascii(limit - dropped), ascii(FIELDS)));
      dropped += Math.toIntExact((Long) said.get(0));
      long finished = (Long) said.get(1);
      next = (from + finished) % all;
      seen += finished;
    }
    return dropped;
  }

  /** Buckets of one shard. */
  private List<byte[]> keys(long from) {
    int shard = (int) (from / buckets);
    long first = from % buckets;
    int number = (int) Math.min(BUCKETS, buckets - first);
    return IntStream.range(0, number)
        .mapToObj(i -> executor.keyspace().bucket(shard, first + i))
        .toList();
  }
}
