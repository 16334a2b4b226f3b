package io.hapax.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The positions of the messages of a run, as the broker reported them to the producer. */
final class Positions {

  private final List<Position> all = new ArrayList<>();

  /** Adds a stored message. */
  void add(StoredMessage message, int part, long offset) {
    all.add(new Position(message, part, offset));
  }

  /**
   * Returns the messages before these offsets.
   *
   * @param offsets by partition or queue
   */
  List<StoredMessage> before(Map<Integer, Long> offsets) {
    return all.stream()
        .filter(each -> each.offset < offsets.getOrDefault(each.part, 0L))
        .map(Position::message)
        .toList();
  }

  private record Position(StoredMessage message, int part, long offset) {}
}
