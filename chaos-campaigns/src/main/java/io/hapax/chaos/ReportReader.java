package io.hapax.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Keeps the state of a consumer process from its {@link Reports}. Thread-safe. */
final class ReportReader {

  private final Map<String, String> inFlight = new HashMap<>();
  private final Map<Reports.Ending, Integer> endings = new EnumMap<>(Reports.Ending.class);
  private final List<Reports.Recovery> recoveries = new ArrayList<>();
  private final Map<String, Long> executedNanos = new HashMap<>();
  private final List<Pause> pauses = new ArrayList<>();
  private boolean ready;
  private long readyNanos;
  private long pausedFor = -1;
  private int storeErrors;
  private long firstNanos;
  private long lastEndNanos;

  private record Pause(long fromNanos, long toNanos) {

    long within(long fromNanos, long toNanos) {
      return Math.max(0, Math.min(this.toNanos, toNanos) - Math.max(this.fromNanos, fromNanos));
    }
  }

  synchronized void paused(long fromNanos, long toNanos) {
    pauses.add(new Pause(fromNanos, toNanos));
  }

  synchronized void accept(String line, long nowNanos) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case Reports.READY -> {
        ready = true;
        readyNanos = nowNanos;
      }
      case Reports.START -> {
        begun(nowNanos);
        inFlight.put(words[1], words[2]);
      }
      case Reports.END -> {
        begun(nowNanos);
        ended(words[2], Reports.Ending.valueOf(words[3]), nowNanos);
      }
      case Reports.ARMED -> {
        pausedFor = words.length == 1 ? Reports.BY_EFFECTS : Long.parseLong(words[1]);
        notifyAll();
      }
      case Reports.STORE_ERROR -> storeErrors++;
      case Reports.RECOVERY ->
        recoveries.add(new Reports.Recovery(words[1], Long.parseLong(words[2])));
      case "polled" -> {} // from an older version
      default -> throw new IllegalArgumentException("not a report: " + line);
    }
  }

  private void begun(long nowNanos) {
    if (firstNanos == 0) {
      firstNanos = nowNanos;
      lastEndNanos = nowNanos;
    }
  }

  /**
   * Settles the order and all of its messages, unless it was deferred. A deferred message is
   * redelivered from another place, and copies need no handler.
   */
  private void ended(String order, Reports.Ending ending, long nowNanos) {
    endings.merge(ending, 1, Integer::sum);
    if (ending != Reports.Ending.DEFERRED) {
      inFlight.values().removeIf(order::equals);
    }
    if (ending == Reports.Ending.EXECUTED) {
      executedNanos.put(order, nowNanos);
    }
    lastEndNanos = nowNanos;
  }

  synchronized Set<String> inFlight() {
    return new HashSet<>(inFlight.values());
  }

  synchronized int count(Reports.Ending ending) {
    return endings.getOrDefault(ending, 0);
  }

  synchronized int settled() {
    return count(Reports.Ending.EXECUTED)
        + count(Reports.Ending.DUPLICATE)
        + count(Reports.Ending.DEAD);
  }

  synchronized Set<String> executed() {
    return Set.copyOf(executedNanos.keySet());
  }

  /** Returns those of the orders that it completed before a time, as {@link System#nanoTime}. */
  synchronized Set<String> executedBefore(long nanos, Set<String> orders) {
    return orders.stream()
        .filter(order -> executedNanos.getOrDefault(order, Long.MAX_VALUE) < nanos)
        .collect(Collectors.toSet());
  }

  /**
   * Returns the times that it took for those completed after this, without its pauses.
   *
   * @param fromReady count from when this consumer was ready, if that was later
   */
  synchronized Map<String, Duration> executedAfter(
      long nanos, Set<String> orders, boolean fromReady) {
    long begin = fromReady ? Math.max(nanos, readyNanos) : nanos;
    return orders.stream()
        .filter(order -> executedNanos.getOrDefault(order, Long.MIN_VALUE) > begin)
        .collect(Collectors.toMap(
            order -> order, order -> running(begin, executedNanos.getOrDefault(order, begin))));
  }

  private Duration running(long fromNanos, long toNanos) {
    long paused = pauses.stream().mapToLong(it -> it.within(fromNanos, toNanos)).sum();
    return Duration.ofNanos(toNanos - fromNanos - paused);
  }

  synchronized List<Reports.Recovery> recoveries() {
    return List.copyOf(recoveries);
  }

  synchronized int deliveries() {
    return endings.values().stream().mapToInt(count -> count).sum();
  }

  synchronized boolean ready() {
    return ready;
  }

  synchronized boolean armed() {
    return pausedFor >= Reports.BY_EFFECTS;
  }

  synchronized boolean awaitPaused(long request, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; pausedFor != request && left > 0; ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
    return pausedFor == request;
  }

  synchronized int storeErrors() {
    return storeErrors;
  }

  synchronized long activeNanos() {
    return lastEndNanos - firstNanos;
  }
}
