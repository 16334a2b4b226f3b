package io.hapax.console.view;

import java.time.Instant;
import java.util.List;

/** The latest values of a figure, shown as a curve and as a column of a table. */
public record Curve(String name, List<Point> points) {

  /** The figures that have a curve, in their order. */
  public static final List<String> NAMES =
      List.of("messages-rate", "duplicates-rate", "p99", "lag", "indoubt", "leased");

  /** One value; NaN if it is unknown. */
  public record Point(Instant at, double value) {}

  /** {@return whether the values of a name are per second} */
  public static boolean isRate(String name) {
    return name.endsWith("-rate");
  }

  /** {@return the newest value} */
  public double last() {
    return points.get(points.size() - 1).value();
  }
}
