package io.hapax.console.view;

import java.time.Instant;
import java.util.List;

/**
 * The latest values of a figure, shown as a curve and as a table.
 *
 * @param name the key of its name
 * @param points the values, oldest first
 */
public record Curve(String name, List<Point> points) {

  /**
   * One value.
   *
   * @param at the time of the reading
   * @param value the value
   */
  public record Point(Instant at, double value) {}
}
