package io.hapax.rocketmq;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The delays of a broker; level 1 is the first. They need not be rising. */
record DelayLevels(List<Duration> delays) {

  private static final Map<Character, Duration> UNITS = Map.of(
      's', Duration.ofSeconds(1),
      'm', Duration.ofMinutes(1),
      'h', Duration.ofHours(1),
      'd', Duration.ofDays(1));

  /** The levels of a broker whose configuration sets no others. */
  static final DelayLevels DEFAULT =
      parse("1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h");

  DelayLevels {
    if (delays.isEmpty()) {
      throw new IllegalArgumentException("delays is empty but must hold at least one");
    }
    delays = List.copyOf(delays);
  }

  /** Reads the broker's {@code messageDelayLevel}. A malformed one is illegal. */
  static DelayLevels parse(String text) {
    List<Duration> delays = new ArrayList<>();
    for (String level : text.strip().split(" +", -1)) {
      Duration unit = level.isEmpty() ? null : UNITS.get(level.charAt(level.length() - 1));
      if (unit == null) {
        throw new IllegalArgumentException("messageDelayLevel is '" + text
            + "' but each level must be a number with s, m, h or d");
      }
      delays.add(unit.multipliedBy(Long.parseLong(level.substring(0, level.length() - 1))));
    }
    return new DelayLevels(delays);
  }

  /** The level with the shortest delay that is not below the wait, or else the longest. */
  int atLeast(Duration wait) {
    Comparator<Integer> byDelay = Comparator.comparing(delays::get);
    List<Integer> all = IntStream.range(0, delays.size()).boxed().toList();
    return all.stream()
            .filter(i -> delays.get(i).compareTo(wait) >= 0)
            .min(byDelay)
            .orElseGet(() -> Collections.max(all, byDelay))
        + 1;
  }

  Duration sum() {
    return delays.stream().reduce(Duration.ZERO, Duration::plus);
  }
}
