package io.hapax.bench;

import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Counts the observed states of the threads of one kind. */
final class ThreadStates {

  private static final int SHOWN = 5;
  private static final double WORTH_SHOWING = 0.1;

  /** The state of a thread. */
  private enum State {
    /** Runs on a core or is ready to run. */
    RUNS,
    /** Waits for a lock. */
    LOCKED,
    /** Waits for something else inside a method of Hapax. */
    WAITS,
    /** Waits for work outside of Hapax. */
    IDLE
  }

  private record Seen(State state, String where) {}

  private final Map<Seen, Integer> seen = new HashMap<>();

  void add(ThreadInfo thread) {
    Optional<String> where = innermostOfHapax(thread);
    State state = state(thread, where.isPresent());
    seen.merge(new Seen(state, where.orElse("(outside of Hapax)")), 1, Integer::sum);
  }

  /** Returns the state. A native method that takes time waits for input or output. */
  private static State state(ThreadInfo thread, boolean within) {
    StackTraceElement[] frames = thread.getStackTrace();
    boolean isNative = frames.length == 0 || frames[0].isNativeMethod();
    return switch (thread.getThreadState()) {
      case BLOCKED -> State.LOCKED;
      case RUNNABLE -> !isNative ? State.RUNS : within ? State.WAITS : State.IDLE;
      default -> within ? State.WAITS : State.IDLE;
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

  /**
   * Returns a line with the average number of threads in each state and their most frequent
   * methods.
   */
  String text(String title, double micros, int samples) {
    StringBuilder text = new StringBuilder(String.format(
        Locale.ROOT,
        "  %-30s %13.2f %6.1f %6.1f %6.1f %6.1f%n",
        title,
        micros,
        count(State.RUNS) / samples,
        count(State.LOCKED) / samples,
        count(State.WAITS) / samples,
        count(State.IDLE) / samples));
    seen.entrySet().stream()
        .filter(it -> it.getKey().state() != State.IDLE)
        .filter(it -> it.getValue() >= WORTH_SHOWING * samples)
        .sorted(Map.Entry.<Seen, Integer>comparingByValue().reversed())
        .limit(SHOWN)
        .forEach(it -> text.append(String.format(
            Locale.ROOT,
            "      %5.1f %-6s %s%n",
            (double) it.getValue() / samples,
            it.getKey().state().name().toLowerCase(Locale.ROOT),
            it.getKey().where())));
    return text.toString();
  }

  private double count(State state) {
    return seen.entrySet().stream()
        .filter(it -> it.getKey().state() == state)
        .mapToInt(Map.Entry::getValue)
        .sum();
  }
}
