package io.hapax.redis;

import io.hapax.mark.MessageKey;
import io.hapax.store.StoreException;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How DONE marks are laid out, written down in Redis by the first store and compared by every
 * other: a store that is set otherwise would not find the marks that are there.
 */
sealed interface Layout {

  /** Of everything that is written down. */
  int VERSION = 2;

  /** Its name, and that of the script that knows where its marks are. */
  Script.Marks marks();

  /** Its own settings as they are written down; empty, or with a blank in front. */
  String settings();

  /** How many bytes of a store key, from its end, are the field of its mark. */
  int fieldBytes(int shards);

  /**
   * The keys that a script gets for its items, all of one shard. The first of each item is the name
   * of its mark while it is open or dead.
   */
  List<byte[]> keys(Keyspace keyspace, int shard, List<MessageKey> items);

  /** Writes it down, or compares with what is written down. */
  static void agree(Wire wire, RedisSettings settings) {
    compare(settings, (key, ours) -> {
      wire.ask(Request.ofKey(CommandType.SET, key, ours, "NX"));
      return Optional.of(
          Request.text(wire.ask(Request.ofKey(CommandType.GET, key)).get(0)));
    });
  }

  /** Compares with what is written down, and writes nothing if there is nothing. */
  static void compare(Wire wire, RedisSettings settings) {
    compare(
        settings,
        (key, ours) -> wire.ask(Request.ofKey(CommandType.GET, key)).stream()
            .flatMap(Stream::ofNullable)
            .map(Request::text)
            .findFirst());
  }

  /** Gives what is written there, once this store has looked or written. */
  interface Written {
    Optional<String> at(byte[] key, String ours);
  }

  private static void compare(RedisSettings settings, Written written) {
    Keyspace keyspace = settings.keyspace();
    Layout layout = keyspace.layout();
    String ours = "version=" + VERSION + " marks=" + layout.marks().written() + " shards="
        + keyspace.shards() + layout.settings();
    String theirs = written.at(keyspace.layoutKey(), ours).orElse(ours);
    if (!theirs.equals(ours)) {
      throw new StoreException("the marks in namespace '" + keyspace.namespace()
          + "' are laid out as '" + theirs + "' but this store is set to '" + ours
          + "': use the same settings, or another namespace, where no mark is known");
    }
    if (layout instanceof Compact) {
      compareRetention(keyspace, settings.retention(), written);
    }
  }

  /** A mark in a bucket has no end of its own: whoever looks or sweeps applies its retention. */
  private static void compareRetention(Keyspace keyspace, Duration retention, Written written) {
    String ours = Long.toString(retention.toMillis());
    String theirs = written.at(keyspace.retentionKey(), ours).orElse(ours);
    if (!theirs.equals(ours)) {
      String key = Request.text(keyspace.retentionKey());
      throw new StoreException("retention is " + retention + " but must be " + inWords(theirs)
          + ", which is written down in " + key + ": with compact all stores of namespace '"
          + keyspace.namespace() + "' must have the same, or one would drop marks that another"
          + " still wants. To change it, stop them all, SET " + key + ' ' + ours
          + " and start them with that retention: a longer one is safe, with a shorter one marks"
          + " are forgotten earlier");
    }
  }

  private static String inWords(String millis) {
    return millis.matches("[0-9]{1,18}")
        ? Duration.ofMillis(Long.parseLong(millis)) + " (" + millis + " ms)"
        : "'" + millis + "' milliseconds";
  }

  /** Each DONE mark is a string under its store key. */
  record Strings() implements Layout {

    @Override
    public Script.Marks marks() {
      return Script.Marks.STRINGS;
    }

    @Override
    public String settings() {
      return "";
    }

    @Override
    public int fieldBytes(int shards) {
      return 16;
    }

    @Override
    public List<byte[]> keys(Keyspace keyspace, int shard, List<MessageKey> items) {
      return keyspace.done(shard, items);
    }
  }

  /**
   * DONE marks are fields of buckets. The store keys from 0 to 2^128 are divided evenly among the
   * buckets of all shards, in their order. Within a bucket store keys lie less than 2^128 / buckets
   * apart, so with 256 buckets or more no two of them agree in all bytes behind the first, with
   * 65,536 in all behind the second, and so on: these bytes are the field, and bucket and field
   * together are as good as all 128 bits.
   *
   * @param buckets how many each shard has
   */
  record Compact(int buckets) implements Layout {

    /**
     * So many marks are expected in a bucket: fewer, and what a key costs by itself is shared by
     * few; more, and Redis has more to look through.
     */
    static final int LOAD = 64;

    /** The most marks that can be expected, so that buckets can be counted. */
    static final long MOST_MARKS = 100_000_000_000L;

    static Compact of(long expectedMarks, int shards) {
      if (expectedMarks < 1 || expectedMarks > MOST_MARKS) {
        throw new IllegalArgumentException(
            "compact is " + expectedMarks + " expected marks but must be 1 to " + MOST_MARKS);
      }
      long each = (expectedMarks + (long) LOAD * shards - 1) / ((long) LOAD * shards);
      return new Compact((int) Math.max(1, each));
    }

    @Override
    public Script.Marks marks() {
      return Script.Marks.COMPACT;
    }

    @Override
    public String settings() {
      return " buckets=" + buckets;
    }

    @Override
    public int fieldBytes(int shards) {
      long all = (long) buckets * shards;
      return 16 - (63 - Long.numberOfLeadingZeros(all)) / 8;
    }

    @Override
    public List<byte[]> keys(Keyspace keyspace, int shard, List<MessageKey> items) {
      List<byte[]> keys = new ArrayList<>(2 * items.size());
      keys.addAll(keyspace.results(shard, items));
      items.forEach(item -> keys.add(keyspace.bucketOf(item, buckets)));
      return keys;
    }
  }
}
