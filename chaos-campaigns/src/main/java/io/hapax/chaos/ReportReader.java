package io.hapax.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Keeps the state of a consumer process from its {@link Reports}. Thread-safe. */
final class ReportReader {

  private final Map<String, String> inFlight = new HashMap<>();
  private final Map<Reports.Ending, Integer> endings = new EnumMap<>(Reports.Ending.class);
  private final List<Recovery> recoveries = new ArrayList<>();
  private final Map<String, Long> executedNanos = new HashMap<>();
  private long polled;
  private boolean ready;
  private long readyNanos;
  private boolean armed;
  private long pausedFor = Reports.BY_EFFECTS;
  private int storeErrors;
  private long firstPolledNanos;
  private long lastEndNanos;

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is not one of {@link Reports}
   */
  synchronized void accept(String line, long nowNanos) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case Reports.READY -> {
        ready = true;
        readyNanos = nowNanos;
      }
      case Reports.POLLED -> {
        firstPolledNanos = polled == 0 ? nowNanos : firstPolledNanos;
        lastEndNanos = polled == 0 ? nowNanos : lastEndNanos;
        polled += Long.parseLong(words[1]);
      }
      case Reports.START -> inFlight.put(words[1], words[2]);
      case Reports.END -> {
        ended(words[2], Reports.Ending.valueOf(words[3]), nowNanos);
      }
      case Reports.ARMED -> {
        armed = true;
        pausedFor = words.length == 1 ? Reports.BY_EFFECTS : Long.parseLong(words[1]);
        notifyAll();
      }
      case Reports.STORE_ERROR -> {
        storeErrors++;
        notifyAll();
      }
      case Reports.RECOVERY -> recoveries.add(new Recovery(words[1], Long.parseLong(words[2])));
      default -> throw new IllegalArgumentException("not a report: " + line);
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

  /** Returns the orders that entered a handler and have no outcome yet. */
  synchronized Set<String> inFlight() {
    return new HashSet<>(inFlight.values());
  }

  synchronized int count(Reports.Ending ending) {
    return endings.getOrDefault(ending, 0);
  }

  /** Returns the number of messages that need no further delivery. */
  synchronized int settled() {
    return count(Reports.Ending.EXECUTED)
        + count(Reports.Ending.DUPLICATE)
        + count(Reports.Ending.DEAD);
  }

  /** Returns the orders that it completed. */
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
   * Returns those of the orders that it completed after a time, each with the duration since then;
   * if the consumer started later, since its start.
   */
  synchronized Map<String, Duration> executedAfter(long nanos, Set<String> orders) {
    long begin = Math.max(nanos, readyNanos);
    return orders.stream()
        .filter(order -> executedNanos.getOrDefault(order, Long.MIN_VALUE) > begin)
        .collect(Collectors.toMap(
            order -> order,
            order -> Duration.ofNanos(executedNanos.getOrDefault(order, begin) - begin)));
  }

  synchronized List<Recovery> recoveries() {
    return List.copyOf(recoveries);
  }

  synchronized long polled() {
    return polled;
  }

  synchronized boolean ready() {
    return ready;
  }

  synchronized boolean armed() {
    return armed;
  }

  /** Waits until a batch pauses for this request, and returns whether one does. */
  synchronized boolean awaitPaused(long request, long millis) throws InterruptedException {
    return await(() -> pausedFor == request, millis);
  }

  synchronized int storeErrors() {
    return storeErrors;
  }

  /**
   * Waits until the consumer reports another store error, and returns whether it did.
   *
   * @param before the number of errors that are already counted
   */
  synchronized boolean awaitStoreError(int before, long millis) throws InterruptedException {
    return await(() -> storeErrors > before, millis);
  }

  private synchronized boolean await(BooleanSupplier reported, long millis)
      throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = millis;
        !reported.getAsBoolean() && left > 0;
        left = (end - System.nanoTime()) / 1_000_000) {
      wait(left);
    }
    return reported.getAsBoolean();
  }

  /** Returns the time from the first delivered records to the last outcome. */
  synchronized long activeNanos() {
    return lastEndNanos - firstPolledNanos;
  }
}
