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
 */
record Keyspace(String namespace, int shards) {

  /** How many keys stand before those of the items; {@code prelude.lua} says which. */
  static final int COMMON = 5;

  /** Where it is written down how the marks are laid out. */
  byte[] layout() {
    return ascii(namespace + ":layout");
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
    long high = key.high();
    long signed = Math.multiplyHigh(high, shards);
    return (int) (high < 0 ? signed + shards : signed);
  }

  /** The keys that every script of a shard and scope gets first. */
  List<byte[]> common(int shard, String scope) {
    List<byte[]> keys = new ArrayList<>();
    for (String name : List.of("open", "processing", "doubt", "dead")) {
      keys.add((tag(shard) + name + ':' + scope).getBytes(StandardCharsets.UTF_8));
    }
    keys.add(canary(shard));
    return keys;
  }

  /** Where the DONE mark is: the tag, and the sixteen bytes of the store key. */
  byte[] done(MessageKey key) {
    byte[] tag = ascii(tag(shardOf(key)));
    return ByteBuffer.allocate(tag.length + 16)
        .put(tag)
        .putLong(key.high())
        .putLong(key.low())
        .array();
  }

  private String tag(int shard) {
    return namespace + '{' + shard + '}';
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
