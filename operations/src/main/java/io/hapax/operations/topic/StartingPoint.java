package io.hapax.operations.topic;

import java.time.Instant;

/** A place in a topic, the same for all of its partitions or queues. */
public sealed interface StartingPoint {

  /** The oldest message that the broker still has. */
  record Beginning() implements StartingPoint {
    @Override
    public String toString() {
      return "the beginning";
    }
  }

  /**
   * The first message with that timestamp or a later one; the end if there is none.
   *
   * @param instant the time, by the clock that sets the topic's timestamps
   */
  record Time(Instant instant) implements StartingPoint {
    @Override
    public String toString() {
      return instant.toString();
    }
  }

  /**
   * An offset. One before the oldest message means the oldest message; one beyond the end is
   * refused.
   *
   * @param offset not negative
   */
  record Offset(long offset) implements StartingPoint {
    /**
     * Checks the rule above.
     *
     * @param offset not negative
     */
    public Offset {
      if (offset < 0) {
        throw new IllegalArgumentException("offset is " + offset + " but must not be negative");
      }
    }

    @Override
    public String toString() {
      return "offset " + offset;
    }
  }

  /**
   * The last offsets of each partition or queue. They have fewer messages than offsets if the
   * broker removed some, or if they hold what is no message.
   *
   * @param offsets how many offsets of each partition or queue; positive
   */
  record Newest(long offsets) implements StartingPoint {
    /**
     * Checks the rule above.
     *
     * @param offsets positive
     */
    public Newest {
      if (offsets < 1) {
        throw new IllegalArgumentException("offsets is " + offsets + " but must be positive");
      }
    }

    @Override
    public String toString() {
      return "the newest " + offsets + " offsets";
    }
  }

  /**
   * Starts at the oldest message.
   *
   * @return a starting point
   */
  static StartingPoint beginning() {
    return new Beginning();
  }

  /**
   * Starts at the first message with that timestamp or a later one.
   *
   * @param instant the time
   * @return a starting point
   */
  static StartingPoint at(Instant instant) {
    return new Time(instant);
  }

  /**
   * Starts at an offset.
   *
   * @param offset not negative
   * @return a starting point
   */
  static StartingPoint offset(long offset) {
    return new Offset(offset);
  }

  /**
   * Starts so that only the last offsets of each partition or queue are read.
   *
   * @param offsets how many of each; positive
   * @return a starting point
   */
  static StartingPoint newest(long offsets) {
    return new Newest(offsets);
  }
}
