package io.hapax.redis;

import io.hapax.redis.Layout.Compact;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Up to where a server keeps a hash as one piece of memory.
 *
 * @param setting the name of the setting that says how many fields it may have
 * @param entries how many these are
 * @param warnings why buckets as they are expected to be would not be kept so; empty if they will
 */
record Encoding(String setting, long entries, List<String> warnings) {

  /** As many fields as nearly every bucket has at most, where as many marks come as expected. */
  static final int FULLEST = fullest();

  /** The longest value in a bucket. */
  static final int LONGEST = 38;

  /** For who has no buckets. */
  static final Encoding UNUSED = new Encoding("", Long.MAX_VALUE, List.of());

  private static final long USUAL_ENTRIES = 512;
  private static final String RISK =
      ": buckets of the compact layout would cost several times the memory; set ";

  Encoding {
    warnings = List.copyOf(warnings);
  }

  /** Marks fall into buckets by chance, and an eighth waits to be dropped. */
  private static int fullest() {
    double load = Compact.LOAD * 9 / 8.0;
    return (int) Math.ceil(load + 5 * Math.sqrt(load));
  }

  /** Reads a server's settings. Redis 7 has renamed them and knows the old names too. */
  static Encoding of(Wire server) {
    Reply reply = server
        .send(List.of(Request.of(CommandType.CONFIG, "GET", "hash-max-*")))
        .get(0);
    if (reply instanceof Reply.Failure failure) {
      return new Encoding(
          "hash-max-listpack-entries",
          USUAL_ENTRIES,
          List.of("CONFIG GET hash-max-*"
              + " was refused, so it could not be read whether buckets stay small: "
              + failure.cause().getMessage()));
    }
    Map<String, Long> settings = new HashMap<>();
    List<Object> said = ((Reply.Answer) reply).content();
    for (int i = 0; i + 1 < said.size(); i += 2) {
      settings.put(Request.text(said.get(i)), Long.valueOf(Request.text(said.get(i + 1))));
    }
    String kind = settings.containsKey("hash-max-listpack-entries") ? "listpack" : "ziplist";
    return of(settings, "hash-max-" + kind + "-entries", "hash-max-" + kind + "-value");
  }

  private static Encoding of(Map<String, Long> settings, String entries, String value) {
    long fields = settings.getOrDefault(entries, USUAL_ENTRIES);
    long longest = settings.getOrDefault(value, (long) LONGEST);
    List<String> warnings = new ArrayList<>();
    if (fields < FULLEST) {
      warnings.add(entries + " is " + fields + RISK + FULLEST + " or more");
    }
    if (longest < LONGEST) {
      warnings.add(value + " is " + longest + RISK + LONGEST + " or more");
    }
    return new Encoding(entries, fields, warnings);
  }
}
