package io.hapax.bench;

import io.hapax.mark.MessageKey;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.NoSuchElementException;

/**
 * What the store writes for a message, read from the server: others that write as much take it from
 * here.
 */
final class RedisBytes {

  /** The lengths before owner, coordinates and id. */
  private static final int LENGTHS = 3 * Short.BYTES;

  private final byte[] prefix;
  private final byte[] open;
  private final byte[] done;

  private RedisBytes(byte[] prefix, byte[] open, byte[] done) {
    this.prefix = prefix;
    this.open = open;
    this.done = done;
  }

  /** Learns it from a message that is done. */
  static RedisBytes of(RedisCommands<byte[], byte[]> redis, MessageKey message) {
    byte[] hash = message.storeKey();
    byte[] key = redis.keys("*").stream()
        .filter(it -> it.length > hash.length
            && Arrays.equals(Arrays.copyOfRange(it, it.length - hash.length, it.length), hash))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("no key ends with a message's hash"));
    byte[] done = redis.get(key);
    int tail = LENGTHS
        + Messages.ORIGIN.owner().length()
        + Messages.ORIGIN.coordinates().length()
        + message.id().length();
    return new RedisBytes(
        Arrays.copyOf(key, key.length - hash.length),
        Arrays.copyOf(done, done.length + tail),
        done);
  }

  /** As many bytes as an open mark has; not to be changed. */
  byte[] open() {
    return open;
  }

  /** A DONE mark; not to be changed. */
  byte[] done() {
    return done;
  }

  /** The key of a DONE mark. */
  byte[] key(MessageKey message) {
    return ByteBuffer.allocate(prefix.length + 2 * Long.BYTES)
        .put(prefix)
        .putLong(message.high())
        .putLong(message.low())
        .array();
  }
}
