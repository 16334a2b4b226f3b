package io.hapax.console.meters;

import io.hapax.console.view.Figure;
import io.hapax.console.view.NowView;
import io.hapax.console.view.ProblemRow;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the figures of the store and the broker for Prometheus. A figure that means the same as a
 * meter of the application has its name. An unknown figure is left out.
 */
public final class StoreMeters {

  /** The media type of the text. */
  public static final String TYPE = "text/plain; version=0.0.4";

  private static final String MARKS = "marks";

  private record Meter(String name, String unit) {}

  private static final Map<String, Meter> METERS = Map.of(
      "stale", new Meter("hapax.marks.stale", MARKS),
      "indoubt", new Meter("hapax.marks.in.doubt", MARKS),
      "leased", new Meter("hapax.marks.leased", MARKS),
      "dead", new Meter("hapax.marks.dead", MARKS),
      "lag", new Meter("hapax.group.lag", "offsets"),
      "live", new Meter("hapax.group.members", "members"));

  private StoreMeters() {}

  /** {@return the figures in the text format of Prometheus} */
  public static String text(String consumer, NowView now) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try {
      Tags tags = Tags.of("consumer", consumer);
      now.figures().forEach(figure -> add(registry, tags, figure));
      add(registry, tags, new Meter("hapax.store.reachable", "ratio"), reachable("STORE", now));
      for (String kind : List.of("STORE", "BROKER")) {
        Tags kinds = tags.and("kind", kind.toLowerCase(Locale.ROOT));
        Meter problems = new Meter("hapax.console.problems", "problems");
        add(registry, kinds, problems, 1 - reachable(kind, now));
      }
      return registry.scrape();
    } finally {
      registry.close();
    }
  }

  private static void add(PrometheusMeterRegistry registry, Tags tags, Figure figure) {
    Meter meter = METERS.get(figure.name());
    if (meter != null) {
      figure.value().ifPresent(value -> add(registry, tags, meter, value));
    }
  }

  private static void add(PrometheusMeterRegistry registry, Tags tags, Meter meter, long value) {
    Gauge.builder(meter.name(), () -> value).tags(tags).baseUnit(meter.unit()).register(registry);
  }

  private static long reachable(String kind, NowView now) {
    return now.problems().stream().map(ProblemRow::kind).anyMatch(kind::equals) ? 0 : 1;
  }
}
