package io.hapax.console.view;

import java.time.Instant;
import java.util.List;

/** The latest values of a figure, shown as a curve and as a table. */
public record Curve(String name, List<Point> points) {

  /** One value. */
  public record Point(Instant at, double value) {}
}
