package io.hapax.redis;

import io.hapax.mark.MessageKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The names of everything in Redis. A shard's keys have its number as their hash tag, so in a
 * cluster they lie together and one script may touch them all.
 *
 * <p>Shards go up with the store keys: all marks of one shard come before those of the next.
 *
 * @param namespace what every key begins with
 * @param shards over how many hash tags the marks are spread
 * @param layout how DONE marks are laid out
 */
record Keyspace(String namespace, int shards, Layout layout) {

  /** How many keys stand before those of the items; {@code prelude.lua} says which. */
  static final int COMMON = 5;

  /** Where it is written down how the marks are laid out. */
  byte[] layoutKey() {
    return ascii(namespace + ":layout");
  }

  /** Where the retention is written down that marks in buckets have in common, in milliseconds. */
  byte[] retentionKey() {
    return ascii(namespace + ":retention");
  }

  /** What is there as long as the shard has not lost its data. */
  byte[] canary(int shard) {
    return ascii(tag(shard) + "canary");
  }

  /** What is there for a moment when a store finds out what its user may do. */
  byte[] trial(int shard) {
    return ascii(tag(shard) + "trial");
  }

  int shardOf(MessageKey key) {
    return (int) part(key.high(), shards);
  }

  /** Of all store keys divided evenly into so many parts, the one of those that begin so. */
  static long part(long high, long parts) {
    long signed = Math.multiplyHigh(high, parts);
    return high < 0 ? signed + parts : signed;
  }

  /** The keys that every script of a shard and scope gets first. */
  List<byte[]> common(int shard, String scope) {
    List<byte[]> keys = new ArrayList<>();
    for (String name : List.of("processing", "resting", "doubt", "dead")) {
      keys.add((tag(shard) + name + ':' + scope).getBytes(StandardCharsets.UTF_8));
    }
    keys.add(canary(shard));
    return keys;
  }

  /**
   * Where DONE marks are, if they are strings: the tag, and the sixteen bytes of the store key. All
   * of one shard.
   */
  List<byte[]> done(int shard, List<MessageKey> keys) {
    return ownKeys(tag(shard), keys);
  }

  /** Where results are, if DONE marks are in buckets. All of one shard. */
  List<byte[]> results(int shard, List<MessageKey> keys) {
    return ownKeys(tag(shard) + 'r', keys);
  }

  /** The bucket of the DONE mark, one of so many of its shard. */
  byte[] bucketOf(MessageKey key, int buckets) {
    int shard = shardOf(key);
    return bucket(shard, part(key.high(), (long) shards * buckets) - (long) shard * buckets);
  }

  /** A bucket by its number within the shard. */
  byte[] bucket(int shard, long number) {
    return ascii(tag(shard) + 'b' + number);
  }

  private static List<byte[]> ownKeys(String prefix, List<MessageKey> keys) {
    byte[] begin = ascii(prefix);
    List<byte[]> own = new ArrayList<>(keys.size());
    for (MessageKey key : keys) {
      own.add(ByteBuffer.allocate(begin.length + 2 * Long.BYTES)
          .put(begin)
          .putLong(key.high())
          .putLong(key.low())
          .array());
    }
    return own;
  }

  private String tag(int shard) {
    return namespace + '{' + shard + '}';
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
