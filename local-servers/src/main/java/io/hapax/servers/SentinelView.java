package io.hapax.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The view that one Sentinel has of a master, its replicas and the other Sentinels.
 *
 * @param sentinel the Sentinel
 * @param inTilt whether it is in tilt mode: it does nothing for half a minute because its own timer
 *     came late
 */
record SentinelView(
    LocalRedis sentinel, boolean inTilt, Seen master, List<Seen> replicas, List<Seen> sentinels) {

  /**
   * An instance that it watches.
   *
   * @param flags {@code master}, {@code slave} or {@code sentinel}, and its problems
   */
  record Seen(String address, String flags) {

    private static Seen of(Map<String, String> fields) {
      return new Seen(
          fields.get("ip") + ':' + fields.get("port"), fields.getOrDefault("flags", "no flags"));
    }

    private boolean is(String sound) {
      return flags.equals(sound);
    }

    @Override
    public String toString() {
      return address + " (" + flags + ')';
    }
  }

  static SentinelView of(LocalRedis sentinel, String master) {
    return new SentinelView(
        sentinel,
        sentinel.command("INFO", "sentinel").contains("sentinel_tilt:1"),
        ask(sentinel, "MASTER", master).get(0),
        ask(sentinel, "REPLICAS", master),
        ask(sentinel, "SENTINELS", master));
  }

  /**
   * Asks for instances. Each reply is a list of names and values that begins with the instance's
   * name.
   */
  private static List<Seen> ask(LocalRedis sentinel, String about, String master) {
    String[] words = sentinel.command("SENTINEL", about, master).split("\n", -1);
    List<Map<String, String>> instances = new ArrayList<>();
    for (int i = 0; i + 1 < words.length; i += 2) {
      if (words[i].equals("name")) {
        instances.add(new TreeMap<>());
      }
      instances.get(instances.size() - 1).put(words[i], words[i + 1]);
    }
    return instances.stream().map(Seen::of).toList();
  }

  /** Returns whether it has no running failover, a replica to promote and enough voters. */
  boolean isReady() {
    return !master.flags().contains("failover_in_progress")
        && replicas.stream().anyMatch(it -> it.is("slave"))
        && sentinels.stream().allMatch(it -> it.is("sentinel"));
  }

  @Override
  public String toString() {
    return sentinel + (inTilt ? ", in tilt," : "") + " sees master " + master + ", replicas "
        + listed(replicas) + ", Sentinels " + listed(sentinels);
  }

  private static String listed(List<Seen> seen) {
    return seen.stream().map(Seen::toString).collect(Collectors.joining(", "));
  }
}
