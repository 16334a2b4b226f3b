package io.hapax.console.operations;

import io.hapax.operations.topic.StartingPoint;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Parses starting points in a topic. */
public final class StartingPoints {

  private StartingPoints() {}

  /**
   * Parses a starting point.
   *
   * @param text beginning, a time as 2026-11-21T10:00:00Z, or offset:N
   * @return the starting point
   * @throws IllegalArgumentException if it is none of these
   */
  public static StartingPoint parse(String text) {
    try {
      if (text.equals("beginning")) {
        return StartingPoint.beginning();
      }
      if (text.startsWith("offset:")) {
        return StartingPoint.offset(Long.parseLong(text.substring("offset:".length())));
      }
      return StartingPoint.at(Instant.ofEpochMilli(Instant.parse(text).toEpochMilli()));
    } catch (DateTimeParseException | ArithmeticException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the start is " + text
              + " but must be beginning, a time as 2026-11-21T10:00:00Z, or offset:N",
          e);
    }
  }
}
