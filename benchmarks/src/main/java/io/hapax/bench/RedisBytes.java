package io.hapax.bench;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The bytes that the store writes for a message, read from the server. The floor and the limit
 * write the same bytes.
 */
final class RedisBytes {

  private final byte[] prefix;
  private final byte[] open;
  private final byte[] done;

  private RedisBytes(byte[] prefix, byte[] open, byte[] done) {
    this.prefix = prefix;
    this.open = open;
    this.done = done;
  }

  /**
   * Reads the bytes from an empty server.
   *
   * @param store a store that keeps marks as strings
   */
  static RedisBytes of(
      RedisCommands<byte[], byte[]> redis, DedupStore store, ClaimRequest message) {
    byte[] hash = message.key().storeKey();
    List<ClaimAnswer> claimed = store.claim(List.of(message), Messages.LEASE);
    byte[] open = redis.keys("*").stream()
        .filter(key -> redis.type(key).equals("hash"))
        .flatMap(key -> redis.hvals(key).stream())
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("no open mark is in a hash"));
    StoreTasks.settle(store, claimed);
    byte[] key = redis.keys("*").stream()
        .filter(it -> endsWith(it, hash))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("no key ends with a message's hash"));
    return new RedisBytes(Arrays.copyOf(key, key.length - hash.length), open, redis.get(key));
  }

  private static boolean endsWith(byte[] whole, byte[] end) {
    int from = whole.length - end.length;
    return from >= 0 && Arrays.equals(whole, from, whole.length, end, 0, end.length);
  }

  /** Returns an open mark; do not change it. */
  byte[] open() {
    return open;
  }

  /** Returns a DONE mark; do not change it. */
  byte[] done() {
    return done;
  }

  /** Returns the key of a DONE mark. */
  byte[] key(MessageKey message) {
    return ByteBuffer.allocate(prefix.length + 2 * Long.BYTES)
        .put(prefix)
        .putLong(message.high())
        .putLong(message.low())
        .array();
  }
}
