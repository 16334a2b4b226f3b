package io.hapax.redis;

import io.hapax.mark.MessageKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Names all keys in Redis. The keys of a shard have its number as their hash tag, so a cluster
 * keeps them together and one script may use them all.
 *
 * <p>Shards follow the order of the store keys: all marks of a shard come before those of the next.
 */
record Keyspace(String namespace, int shards, Layout layout) {

  /** The number of keys before those of the items; {@code prelude.lua} lists them. */
  static final int COMMON = 5;

  /** The key that stores the agreed layout. */
  byte[] layoutKey() {
    return ascii(namespace + ":layout");
  }

  /** The key that stores the common retention of marks in buckets, milliseconds. */
  byte[] retentionKey() {
    return ascii(namespace + ":retention");
  }

  /** The key that exists as long as the shard has not lost its data. */
  byte[] canary(int shard) {
    return ascii(tag(shard) + "canary");
  }

  /** A key that exists for a moment, while a store tests the permissions of its user. */
  byte[] permissionProbe(int shard) {
    return ascii(tag(shard) + "trial");
  }

  int shardOf(MessageKey key) {
    return (int) part(key.high(), shards);
  }

  /** Divides all store keys evenly into parts; returns the part of keys with this high half. */
  static long part(long high, long parts) {
    long signed = Math.multiplyHigh(high, parts);
    return high < 0 ? signed + parts : signed;
  }

  /** Returns the keys that every script of a shard and scope gets first. */
  List<byte[]> common(int shard, String scope) {
    List<byte[]> keys = new ArrayList<>();
    for (String name : List.of("processing", "resting", "doubt", "dead")) {
      keys.add((tag(shard) + name + ':' + scope).getBytes(StandardCharsets.UTF_8));
    }
    keys.add(canary(shard));
    return keys;
  }

  /**
   * Returns the keys of DONE marks that are strings: the tag and the 16 bytes of the store key. All
   * items are of one shard.
   */
  List<byte[]> done(int shard, List<MessageKey> keys) {
    return ownKeys(tag(shard), keys);
  }

  /** Returns the keys of results if DONE marks are in buckets. All items are of one shard. */
  List<byte[]> results(int shard, List<MessageKey> keys) {
    return ownKeys(tag(shard) + 'r', keys);
  }

  /** Returns the key of the bucket for a DONE mark. */
  byte[] bucketOf(MessageKey key, int buckets) {
    int shard = shardOf(key);
    return bucket(shard, part(key.high(), (long) shards * buckets) - (long) shard * buckets);
  }

  /** Returns the key of a bucket by its number within the shard. */
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
