package io.hapax.operations.topic;

import io.hapax.operations.text.Text;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** A place in a topic, the same for all of its partitions or queues. */
public sealed interface StartingPoint {

  /** The oldest message that the broker still has. */
  record Beginning() implements StartingPoint {
    @Override
    public Text text() {
      return Text.of("from.beginning");
    }
  }

  /**
   * The first message with that timestamp or a later one; the end if there is none.
   *
   * @param instant the time, by the clock that sets the topic's timestamps
   */
  record Time(Instant instant) implements StartingPoint {
    @Override
    public Text text() {
      return Text.plain(instant.toString());
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
    public Text text() {
      return Text.of("from.offset", offset);
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
  }

  /** {@return this place, for people} */
  default Text text() {
    return Text.plain(toString());
  }

  /** {@return a starting point at the oldest message} */
  static StartingPoint beginning() {
    return new Beginning();
  }

  /**
   * {@return the starting point that a text names}
   *
   * @param text beginning, a time as 2026-11-21T10:00:00Z, or offset:N
   * @throws IllegalArgumentException if it is none of these
   */
  static StartingPoint parse(String text) {
    try {
      if (text.equals("beginning")) {
        return beginning();
      }
      if (text.startsWith("offset:")) {
        return new Offset(Long.parseLong(text.substring("offset:".length())));
      }
      return new Time(Instant.ofEpochMilli(Instant.parse(text).toEpochMilli()));
    } catch (DateTimeParseException | ArithmeticException | IllegalArgumentException e) {
      throw Text.of("from.invalid", text).refusal();
    }
  }
}
