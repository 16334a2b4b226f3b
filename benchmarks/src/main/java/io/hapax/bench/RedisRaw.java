package io.hapax.bench;

import static io.hapax.bench.RespSocket.ascii;

import io.hapax.bench.Contender.Task;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;

/**
 * Plain commands that write the bytes of the store: those of an open mark and of a DONE mark, and
 * the key of a DONE mark, which begins with a prefix and ends with the message's hash.
 */
final class RedisRaw {

  private static final byte[] SET = ascii("SET");
  private static final byte[] IF_ABSENT = ascii("NX");
  private static final byte[] MILLIS = ascii("PX");
  private static final byte[] LEASE = ascii(Long.toString(Messages.LEASE.toMillis()));
  private static final byte[] RETENTION = ascii(Long.toString(Messages.RETENTION.toMillis()));

  private final int port;
  private final byte[] prefix;
  private final byte[] open;
  private final byte[] done;

  private RedisRaw(int port, byte[] prefix, byte[] open, byte[] done) {
    this.port = port;
    this.prefix = prefix;
    this.open = open;
    this.done = done;
  }

  static RedisRaw of(
      int port, RedisCommands<byte[], byte[]> redis, DedupStore store, ClaimRequest message) {
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
    return new RedisRaw(port, Arrays.copyOf(key, key.length - hash.length), open, redis.get(key));
  }

  private static boolean endsWith(byte[] whole, byte[] end) {
    int from = whole.length - end.length;
    return from >= 0 && Arrays.equals(whole, from, whole.length, end, 0, end.length);
  }

  private byte[] key(MessageKey message) {
    return ByteBuffer.allocate(prefix.length + 2 * Long.BYTES)
        .put(prefix)
        .putLong(message.high())
        .putLong(message.low())
        .array();
  }

  /** Writes the DONE marks of known messages to a database of the server. */
  void fill(int database, Messages messages, long known, int batch) throws IOException {
    try (RespSocket socket = connect(database)) {
      for (long first = 0; first < known; first += batch) {
        LongStream.range(first, Math.min(known, first + batch))
            .mapToObj(messages::known)
            .forEach(message -> done(socket, message));
        socket.flush();
      }
    }
  }

  /** Returns a task that sends all claims of a batch at once, and then all settlements at once. */
  Task limit(int database) {
    RespSocket socket = connect(database);
    return new Task() {
      @Override
      public void run(List<ClaimRequest> batch) throws IOException {
        for (ClaimRequest message : batch) {
          socket.command(SET, key(message.key()), open, IF_ABSENT, MILLIS, LEASE);
        }
        socket.flush();
        batch.forEach(message -> done(socket, message));
        socket.flush();
      }

      @Override
      public void close() {
        socket.close();
      }
    };
  }

  Task floor(RedisCommands<byte[], byte[]> redis) {
    SetArgs lease = SetArgs.Builder.nx().px(Messages.LEASE);
    SetArgs retention = SetArgs.Builder.px(Messages.RETENTION);
    return batch -> {
      for (ClaimRequest message : batch) {
        byte[] key = key(message.key());
        ok(redis.set(key, open, lease));
        ok(redis.set(key, done, retention));
      }
    };
  }

  private static void ok(String reply) {
    if (!"OK".equals(reply)) {
      throw new IllegalStateException("the server answered " + reply);
    }
  }

  private void done(RespSocket socket, ClaimRequest message) {
    socket.command(SET, key(message.key()), done, MILLIS, RETENTION);
  }

  private RespSocket connect(int database) {
    try {
      RespSocket socket = new RespSocket(port);
      socket.command(ascii("SELECT"), ascii(Integer.toString(database)));
      socket.flush();
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException("no connection to Redis", e);
    }
  }
}
