package io.hapax.bench;

import static io.hapax.bench.RespSocket.ascii;

import io.hapax.mark.ClaimRequest;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Plain commands that write the bytes of the store to a database of their own. */
final class RedisRaw {

  private static final byte[] SET = ascii("SET");
  private static final byte[] IF_ABSENT = ascii("NX");
  private static final byte[] MILLIS = ascii("PX");
  private static final byte[] LEASE = ascii(Long.toString(Messages.LEASE.toMillis()));
  private static final byte[] RETENTION = ascii(Long.toString(Messages.RETENTION.toMillis()));

  private final int port;
  private final int database;
  private final RedisBytes bytes;

  /**
   * Creates the commands.
   *
   * @param port the port of the server
   * @param database the database of the commands
   * @param bytes the bytes to write
   */
  RedisRaw(int port, int database, RedisBytes bytes) {
    this.port = port;
    this.database = database;
    this.bytes = bytes;
  }

  /** Writes the DONE marks of known messages. */
  void fill(Messages messages, long known, int batch) throws IOException {
    try (RespSocket socket = connect()) {
      for (long first = 0; first < known; first += batch) {
        LongStream.range(first, Math.min(known, first + batch))
            .mapToObj(messages::known)
            .forEach(message -> done(socket, message));
        socket.flush();
      }
    }
  }

  /** Returns a task that sends all claims of a batch at once, and then all settlements at once. */
  Task limit(Supplier<List<ClaimRequest>> source) {
    RespSocket socket = connect();
    return new Task(source) {
      @Override
      void run(List<ClaimRequest> batch) throws IOException {
        for (ClaimRequest message : batch) {
          socket.command(SET, bytes.key(message.key()), bytes.open(), IF_ABSENT, MILLIS, LEASE);
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

  /**
   * Returns the floor, which has one round trip for the claim and one for the settlement of each
   * message.
   */
  Task.Batched floor(RedisCommands<byte[], byte[]> redis) {
    SetArgs lease = SetArgs.Builder.nx().px(Messages.LEASE);
    SetArgs retention = SetArgs.Builder.px(Messages.RETENTION);
    return batch -> {
      for (ClaimRequest message : batch) {
        byte[] key = bytes.key(message.key());
        ok(redis.set(key, bytes.open(), lease));
        ok(redis.set(key, bytes.done(), retention));
      }
    };
  }

  private static void ok(String reply) {
    if (!"OK".equals(reply)) {
      throw new IllegalStateException("the server answered " + reply);
    }
  }

  private void done(RespSocket socket, ClaimRequest message) {
    socket.command(SET, bytes.key(message.key()), bytes.done(), MILLIS, RETENTION);
  }

  private RespSocket connect() {
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
