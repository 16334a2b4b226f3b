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
 * How DONE marks are stored. The first store writes the layout to Redis, and every other store
 * compares it with its own: a store with another layout would not find the existing marks.
 */
sealed interface Layout {

  /** The version of the whole stored format. */
  int VERSION = 2;

  /** Returns the layout's name, which is also that of its script. */
  Script.Marks marks();

  /** Returns the layout's own settings as they are stored; empty, or with a leading blank. */
  String settings();

  /** Returns how many of the last bytes of a store key are the field of its mark. */
  int fieldBytes(int shards);

  /**
   * Returns the keys of a script for its items, all of one shard. The first key of an item also
   * names its mark while that is open or dead.
   */
  List<byte[]> keys(Keyspace keyspace, int shard, List<MessageKey> items);

  /** Stores the layout if there is none; otherwise compares it. */
  static void agree(Pipeline pipeline, RedisSettings settings) {
    compare(settings, (key, ours) -> {
      pipeline.ask(RedisRequest.ofKey(CommandType.SET, key, ours, "NX"));
      return Optional.of(RedisRequest.text(
          pipeline.ask(RedisRequest.ofKey(CommandType.GET, key)).get(0)));
    });
  }

  /** Compares the layout if there is a stored one. Writes nothing. */
  static void compare(Pipeline pipeline, RedisSettings settings) {
    compare(
        settings,
        (key, ours) -> pipeline.ask(RedisRequest.ofKey(CommandType.GET, key)).stream()
            .flatMap(Stream::ofNullable)
            .map(RedisRequest::text)
            .findFirst());
  }

  /** Reads a stored value, after storing ours if the store may write. */
  interface StoredValue {
    Optional<String> read(byte[] key, String ours);
  }

  private static void compare(RedisSettings settings, StoredValue stored) {
    Keyspace keyspace = settings.keyspace();
    Layout layout = keyspace.layout();
    String ours = "version=" + VERSION + " marks=" + layout.marks().layoutName() + " shards="
        + keyspace.shards() + layout.settings();
    String theirs = stored.read(keyspace.layoutKey(), ours).orElse(ours);
    if (!theirs.equals(ours)) {
      throw new StoreException("the marks in namespace '" + keyspace.namespace()
          + "' are laid out as '" + theirs + "' but this store is set to '" + ours
          + "': use the same settings, or another namespace, which has none of these marks");
    }
    if (layout instanceof Compact) {
      compareRetention(keyspace, settings.retention(), stored);
    }
  }

  /**
   * Compares the retention: a mark in a bucket has no expiry of its own, so each store applies its
   * retention to the marks of all stores.
   */
  private static void compareRetention(Keyspace keyspace, Duration retention, StoredValue stored) {
    String ours = Long.toString(retention.toMillis());
    String theirs = stored.read(keyspace.retentionKey(), ours).orElse(ours);
    if (!theirs.equals(ours)) {
      String key = RedisRequest.text(keyspace.retentionKey());
      throw new StoreException("retention is " + retention + " but must be " + inWords(theirs)
          + ", the value of " + key + ": with compact all stores of namespace '"
          + keyspace.namespace() + "' must have the same, or one store would remove marks that"
          + " another still needs. To change it, stop them all, SET " + key + ' ' + ours
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
   * buckets of all shards, in their order. Two store keys in one bucket differ by less than 2^128 /
   * buckets. So with 256 buckets or more they differ behind the first byte, with 65,536 or more
   * behind the second, and so on. These last bytes are the field; bucket and field together
   * identify all 128 bits.
   */
  record Compact(int buckets) implements Layout {

    /**
     * The expected number of marks in a bucket. With fewer, too few marks share the memory of the
     * key; with more, Redis has more to scan.
     */
    static final int LOAD = 64;

    /** The maximum expected number of marks, which keeps the number of buckets an int. */
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
