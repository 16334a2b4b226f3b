package io.hapax.simulation;

import io.hapax.simulation.LogBroker.Partition;
import java.util.ArrayList;
import java.util.List;

/** The bookkeeping of one partition during one assignment. */
final class Tracker {

  /** A message that was polled. */
  static final class Slot {
    final Tracker tracker;
    final Post post;
    final int offset;
    boolean finished;

    Slot(Tracker tracker, Post post, int offset) {
      this.tracker = tracker;
      this.post = post;
      this.offset = offset;
    }
  }

  private final Partition partition;
  private final int epoch;
  private final int begin;
  private final List<Slot> slots = new ArrayList<>();
  private int underway;
  private long dueAt;
  private boolean leaving;

  Tracker(Partition partition, int epoch, int begin) {
    this.partition = partition;
    this.epoch = epoch;
    this.begin = begin;
  }

  Partition partition() {
    return partition;
  }

  int epoch() {
    return epoch;
  }

  int position() {
    return begin + slots.size();
  }

  void polled(List<Post> posts) {
    for (Post post : posts) {
      slots.add(new Slot(this, post, position()));
    }
  }

  /** Whether it is to be given back, so that nothing more of it is handed in. */
  void leaving(boolean asked) {
    leaving = asked;
  }

  boolean underway() {
    return underway > 0;
  }

  boolean ready(long now, boolean overtakes) {
    return !leaving
        && now >= dueAt
        && (underway == 0 || overtakes)
        && slots.stream().anyMatch(it -> !it.finished);
  }

  /** Whether nothing of this assignment is through yet. */
  boolean probation() {
    return slots.stream().noneMatch(it -> it.finished);
  }

  List<Slot> take(int limit) {
    List<Slot> taken =
        slots.stream().filter(it -> !it.finished).skip(underway).limit(limit).toList();
    underway += taken.size();
    dueAt = 0;
    return taken;
  }

  void finished(Slot slot) {
    underway--;
    slot.finished = true;
  }

  void deferred(long until) {
    underway--;
    dueAt = Math.max(dueAt, until);
  }

  int lowestUnfinished() {
    return slots.stream()
        .filter(it -> !it.finished)
        .mapToInt(it -> it.offset)
        .findFirst()
        .orElse(position());
  }

  int behindHighestFinished() {
    return slots.stream()
        .filter(it -> it.finished)
        .mapToInt(it -> it.offset + 1)
        .max()
        .orElse(begin);
  }
}
