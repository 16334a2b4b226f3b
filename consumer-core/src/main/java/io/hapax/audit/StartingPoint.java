package io.hapax.audit;

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
   * The first message that was sent at that time or later; the end if there is none.
   *
   * @param instant the time, by the clock that timestamps of the topic are taken from
   */
  record Time(Instant instant) implements StartingPoint {
    @Override
    public String toString() {
      return instant.toString();
    }
  }

  /**
   * An offset. What lies before the oldest message means that; beyond the end it is refused.
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
   * The oldest message.
   *
   * @return a starting point
   */
  static StartingPoint beginning() {
    return new Beginning();
  }

  /**
   * The first message of that time or later.
   *
   * @param instant the time
   * @return a starting point
   */
  static StartingPoint at(Instant instant) {
    return new Time(instant);
  }

  /**
   * An offset.
   *
   * @param offset not negative
   * @return a starting point
   */
  static StartingPoint offset(long offset) {
    return new Offset(offset);
  }
}
