package io.hapax.bench;

import io.hapax.bench.Contender.Task;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Plain commands that write the bytes of the store: those of an open mark and of a DONE mark, and
 * the key of a DONE mark, which begins with a prefix and ends with the message's hash.
 */
final class RedisRaw {

  private static final String OK = "+OK\r\n";
  private static final byte[] END = ascii("\r\n");
  private static final byte[] SET = ascii("SET");
  private static final byte[] IF_ABSENT = ascii("NX");
  private static final byte[] MILLIS = ascii("PX");
  private static final byte[] LEASE = ascii(Long.toString(Messages.LEASE.toMillis()));
  private static final byte[] RETENTION = ascii(Long.toString(Messages.RETENTION.toMillis()));

  private final int port;
  private final byte[] prefix;
  private final byte[] open;
  private final byte[] done;

  /** Reads the bytes from an empty server, to which the store writes a mark. */
  RedisRaw(int port, RedisCommands<byte[], byte[]> redis, DedupStore store) {
    this.port = port;
    List<ClaimRequest> message = Messages.known(1, false, 1);
    byte[] hash = message.get(0).key().storeKey();
    List<ClaimAnswer> claimed = store.claim(message, Messages.LEASE);
    this.open = redis.keys("*").stream()
        .filter(key -> redis.type(key).equals("hash"))
        .flatMap(key -> redis.hvals(key).stream())
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("no open mark is in a hash"));
    StoreTasks.settle(store, claimed);
    byte[] key = redis.keys("*").stream()
        .filter(it -> endsWith(it, hash))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("no key ends with a message's hash"));
    this.prefix = Arrays.copyOf(key, key.length - hash.length);
    this.done = redis.get(key);
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

  void fill(int database, long known) throws IOException {
    try (Connection connection = limit(database)) {
      for (List<ClaimRequest> batch : Messages.allKnown(known)) {
        connection.finish(batch);
      }
    }
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

  /** Returns a task that sends all claims of a batch at once, and then all settlements at once. */
  Connection limit(int database) {
    try {
      Connection connection = new Connection();
      connection.command(ascii("SELECT"), ascii(Integer.toString(database)));
      connection.flush();
      return connection;
    } catch (IOException e) {
      throw new UncheckedIOException("no connection to Redis", e);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Sends commands with the least overhead in Java: one buffer, one write, and the replies
   * compared. No client library can be faster.
   */
  final class Connection implements Task {

    private final Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    private ByteBuffer commands = ByteBuffer.allocate(64 * 1024);
    private int pending;

    private Connection() throws IOException {
      socket.setTcpNoDelay(true);
    }

    @Override
    public void run(List<ClaimRequest> batch) throws IOException {
      for (ClaimRequest message : batch) {
        command(SET, key(message.key()), open, IF_ABSENT, MILLIS, LEASE);
      }
      flush();
      finish(batch);
    }

    private void finish(List<ClaimRequest> batch) throws IOException {
      for (ClaimRequest message : batch) {
        command(SET, key(message.key()), done, MILLIS, RETENTION);
      }
      flush();
    }

    private void command(byte[]... words) {
      int length = Arrays.stream(words).mapToInt(word -> word.length + 16).sum() + 16;
      if (commands.remaining() < length) {
        commands = ByteBuffer.allocate(2 * (commands.capacity() + length)).put(commands.flip());
      }
      number('*', words.length);
      for (byte[] word : words) {
        number('$', word.length);
        commands.put(word).put(END);
      }
      pending++;
    }

    private void number(char kind, int value) {
      commands.put((byte) kind).put(ascii(Integer.toString(value))).put(END);
    }

    /** Sends the added commands and waits until the server has answered OK to each. */
    private void flush() throws IOException {
      socket.getOutputStream().write(commands.array(), 0, commands.position());
      commands.clear();
      byte[] replies = socket.getInputStream().readNBytes(OK.length() * pending);
      if (!Arrays.equals(replies, ascii(OK.repeat(pending)))) {
        throw new IOException(
            "the server answered " + new String(replies, StandardCharsets.US_ASCII));
      }
      pending = 0;
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException("the connection cannot be closed", e);
      }
    }
  }
}
