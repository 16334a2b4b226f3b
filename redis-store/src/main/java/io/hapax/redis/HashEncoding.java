package io.hapax.redis;

import io.hapax.redis.Layout.Compact;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The limits up to which a server keeps a hash in the compact encoding: one piece of memory.
 *
 * @param setting the name of the setting that limits the number of fields
 * @param entries that limit
 * @param warnings why buckets of the expected size would exceed a limit; empty if they do not
 */
record HashEncoding(String setting, long entries, List<String> warnings) {

  /** The number of fields that hardly any bucket exceeds if there are as many marks as expected. */
  static final int FULLEST = fullest();

  /** The length of the longest value in a bucket. */
  static final int LONGEST = 38;

  private static final long USUAL_ENTRIES = 512;
  private static final String RISK =
      ": buckets of the compact layout would cost several times the memory; set ";

  HashEncoding {
    warnings = List.copyOf(warnings);
  }

  /** Marks are distributed by chance, and an eighth of them has expired and is not removed yet. */
  private static int fullest() {
    double load = Compact.LOAD * 9 / 8.0;
    return (int) Math.ceil(load + 5 * Math.sqrt(load));
  }

  /** Reads a server's settings. Redis 7 has renamed them and still accepts the old names. */
  static HashEncoding of(Pipeline server) {
    Reply reply = server
        .send(List.of(RedisRequest.of(CommandType.CONFIG, "GET", "hash-max-*")))
        .get(0);
    if (reply instanceof Reply.Failure failure) {
      return new HashEncoding(
          "hash-max-listpack-entries",
          USUAL_ENTRIES,
          List.of("CONFIG GET hash-max-*"
              + " was refused, so it is unknown whether buckets stay small: "
              + failure.text()));
    }
    Map<String, Long> settings = new HashMap<>();
    List<Object> said = ((Reply.Answer) reply).content();
    for (int i = 0; i + 1 < said.size(); i += 2) {
      settings.put(
          RedisRequest.text(said.get(i)), Long.valueOf(RedisRequest.text(said.get(i + 1))));
    }
    String kind = settings.containsKey("hash-max-listpack-entries") ? "listpack" : "ziplist";
    return of(settings, "hash-max-" + kind + "-entries", "hash-max-" + kind + "-value");
  }

  /** Returns a consumer of the sizes of written buckets, which warns once of a big one. */
  LongConsumer sizes(Consumer<String> warning) {
    AtomicBoolean warned = new AtomicBoolean();
    return fields -> {
      if (fields > entries && warned.compareAndSet(false, true)) {
        warning.accept("there are more marks than compact(..) expects: a bucket has " + fields
            + " fields, and " + setting + " is " + entries
            + ". Nothing is lost, but marks cost several times the memory from now on: use a"
            + " namespace with a greater number, or raise that setting");
      }
    };
  }

  private static HashEncoding of(Map<String, Long> settings, String entries, String value) {
    long fields = settings.getOrDefault(entries, USUAL_ENTRIES);
    long longest = settings.getOrDefault(value, (long) LONGEST);
    List<String> warnings = new ArrayList<>();
    if (fields < FULLEST) {
      warnings.add(entries + " is " + fields + RISK + FULLEST + " or more");
    }
    if (longest < LONGEST) {
      warnings.add(value + " is " + longest + RISK + LONGEST + " or more");
    }
    return new HashEncoding(entries, fields, warnings);
  }
}
