package io.hapax.bench;

import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What threads of one kind were seen doing. */
final class Doings {

  private static final int SHOWN = 5;
  private static final double WORTH_SHOWING = 0.1;

  /** How a thread is seen. */
  private enum Doing {
    /** On a core, or ready to be. */
    RUNS,
    /** For a lock. */
    LOCKED,
    /** For something else, within a method of ours. */
    WAITS,
    /** For work, outside of any. */
    IDLE
  }

  private record Seen(Doing doing, String where) {}

  private final Map<Seen, Integer> seen = new HashMap<>();

  void add(ThreadInfo thread) {
    Optional<String> where = innermostOfHapax(thread);
    Doing doing = doing(thread, where.isPresent());
    seen.merge(new Seen(doing, where.orElse("(outside of Hapax)")), 1, Integer::sum);
  }

  /** A native method waits for input or output, as far as it takes any time. */
  private static Doing doing(ThreadInfo thread, boolean within) {
    StackTraceElement[] frames = thread.getStackTrace();
    boolean isNative = frames.length == 0 || frames[0].isNativeMethod();
    return switch (thread.getThreadState()) {
      case BLOCKED -> Doing.LOCKED;
      case RUNNABLE -> !isNative ? Doing.RUNS : within ? Doing.WAITS : Doing.IDLE;
      default -> within ? Doing.WAITS : Doing.IDLE;
    };
  }

  private static Optional<String> innermostOfHapax(ThreadInfo thread) {
    return Stream.of(thread.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("io.hapax."))
        .findFirst()
        .map(frame -> frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1)
            + '.'
            + frame.getMethodName());
  }

  /** A line of how many there were at a look, and where most of them were. */
  String text(String title, double micros, int looks) {
    StringBuilder text = new StringBuilder(String.format(
        Locale.ROOT,
        "  %-30s %13.2f %6.1f %6.1f %6.1f %6.1f%n",
        title,
        micros,
        count(Doing.RUNS) / looks,
        count(Doing.LOCKED) / looks,
        count(Doing.WAITS) / looks,
        count(Doing.IDLE) / looks));
    seen.entrySet().stream()
        .filter(it -> it.getKey().doing() != Doing.IDLE)
        .filter(it -> it.getValue() >= WORTH_SHOWING * looks)
        .sorted(Map.Entry.<Seen, Integer>comparingByValue().reversed())
        .limit(SHOWN)
        .forEach(it -> text.append(String.format(
            Locale.ROOT,
            "      %5.1f %-6s %s%n",
            (double) it.getValue() / looks,
            it.getKey().doing().name().toLowerCase(Locale.ROOT),
            it.getKey().where())));
    return text.toString();
  }

  private double count(Doing doing) {
    return seen.entrySet().stream()
        .filter(it -> it.getKey().doing() == doing)
        .mapToInt(Map.Entry::getValue)
        .sum();
  }
}
