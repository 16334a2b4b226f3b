package io.hapax.console.view;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The current state.
 *
 * @param standalone whether the console runs outside of the application and shows figures of the
 *     store and the broker only
 * @param age the time since the source that has been silent longest has answered
 */
public record NowView(
    Instant at,
    boolean standalone,
    List<Figure> figures,
    List<Curve> curves,
    List<ProblemRow> problems,
    Duration age) {

  private static final Duration OLD = Duration.ofSeconds(6);
  private static final Duration TREND = Duration.ofMinutes(1);

  /** {@return whether the figures must not be taken for the current ones} */
  public boolean isOld() {
    return age.compareTo(OLD) > 0;
  }

  /** {@return a figure by its name} */
  public Optional<Figure> figure(String name) {
    return figures.stream().filter(it -> it.name().equals(name)).findFirst();
  }

  /** {@return the time that the lag needs to drain, if it goes on falling as in the last minute} */
  public Optional<Duration> drain() {
    List<Curve.Point> lag = curves.stream()
        .filter(it -> it.name().equals("lag"))
        .flatMap(it -> it.points().stream())
        .filter(it -> !Double.isNaN(it.value()) && !it.at().isBefore(at.minus(TREND)))
        .toList();
    if (lag.isEmpty()) {
      return Optional.empty();
    }
    Curve.Point last = lag.get(lag.size() - 1);
    double fallen = lag.get(0).value() - last.value();
    long millis = Duration.between(lag.get(0).at(), last.at()).toMillis();
    return fallen <= 0 || last.value() == 0
        ? Optional.empty()
        : Optional.of(Duration.ofMillis((long) (last.value() * millis / fallen)));
  }
}
