package io.hapax.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Where the messages of a run lie, as the broker told their producer. */
final class Positions {

  private final List<Position> all = new ArrayList<>();

  /** A message was stored. */
  void add(Sent message, int part, long offset) {
    all.add(new Position(message, part, offset));
  }

  /**
   * The messages in front of these offsets.
   *
   * @param offsets by partition, or queue
   */
  List<Sent> before(Map<Integer, Long> offsets) {
    return all.stream()
        .filter(each -> each.offset < offsets.getOrDefault(each.part, 0L))
        .map(Position::message)
        .toList();
  }

  private record Position(Sent message, int part, long offset) {}
}
