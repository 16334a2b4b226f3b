package io.hapax.redis;

import static io.hapax.redis.ScriptExecutor.ascii;

import io.hapax.redis.Layout.Compact;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Removes expired marks from the buckets. Each call continues where the last one stopped and goes
 * around at most once. A script checks only a few buckets, so that other commands do not wait long.
 */
final class BucketPurge implements IntUnaryOperator {

  private static final int BUCKETS = 32;
  private static final int FIELDS = 4096;

  private final ScriptExecutor executor;
  private final int buckets;
  private long next;

  BucketPurge(ScriptExecutor executor, Compact layout) {
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
      next = (from + keys.size()) % all; // even without an answer: the other shards continue
      List<Object> said =
          executor.runOne(Script.PURGE, keys, List.of(ascii(limit - dropped), ascii(FIELDS)));
      dropped += Math.toIntExact((Long) said.get(0));
      long finished = (Long) said.get(1);
      next = (from + finished) % all;
      seen += finished;
    }
    return dropped;
  }

  /** Returns the keys of buckets of one shard. */
  private List<byte[]> keys(long from) {
    int shard = (int) (from / buckets);
    long first = from % buckets;
    int number = (int) Math.min(BUCKETS, buckets - first);
    return IntStream.range(0, number)
        .mapToObj(i -> executor.keyspace().bucket(shard, first + i))
        .toList();
  }
}
