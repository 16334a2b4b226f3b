package io.hapax.console.meters;

import io.hapax.console.figures.Figures;
import io.hapax.console.view.DuplicatesView.Bucket;
import io.hapax.console.view.Figure;
import io.hapax.console.view.ProblemRow;
import io.hapax.health.Problem;
import io.hapax.operations.text.Text;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Reads figures from the meters of {@code io.hapax.metrics} for a consumer of this process. */
public final class MeterFigures implements Figures {

  private static final String OUTCOMES = "hapax.outcomes";
  private static final double P99 = 0.99;

  private final MeterRegistry registry;
  private final Tags tags;
  private final Supplier<List<Problem>> problems;
  private final Duration window;

  /**
   * Creates a reader.
   *
   * @param problems returns the problems of its receivers and listeners
   * @param window the dedup window, which is the retention of the store
   */
  public MeterFigures(
      MeterRegistry registry, String consumer, Supplier<List<Problem>> problems, Duration window) {
    this.registry = registry;
    this.tags = Tags.of("consumer", consumer);
    this.problems = problems;
    this.window = window;
  }

  @Override
  public Snapshot read() {
    List<ProblemRow> rows = problems.get().stream()
        .map(
            it -> new ProblemRow(it.kind().name(), it.subject(), it.since(), Text.plain(it.text())))
        .toList();
    List<Figure> figures = new ArrayList<>();
    figures.add(figure("executed", outcomes("executed"), false));
    figures.add(figure("duplicates", outcomes("duplicate"), false));
    figures.add(figure("busy", outcomes("busy"), false));
    figures.add(
        figure("takeovers", counted("hapax.recoveries", tags.and("kind", "takeover")), true));
    figures.add(figure("dead", outcomes("dead"), true));
    figures.add(figure("conflicts", conflicts(), true));
    figures.add(figure("p99", slowest(), false));
    figures.add(figure("lag", lag(), false));
    figures.add(figure("inflight", gauge("hapax.in.flight"), false));
    figures.add(figure("stale", gauge("hapax.marks.stale"), true));
    figures.add(figure("indoubt", gauge("hapax.marks.in.doubt"), true));
    figures.add(figure("problems", OptionalLong.of(rows.size()), true));
    return new Snapshot(figures, rows);
  }

  private static Figure figure(String name, OptionalLong value, boolean attention) {
    return new Figure(name, value, true, attention && value.orElse(0) > 0);
  }

  private OptionalLong outcomes(String outcome) {
    return counted(OUTCOMES, tags.and("outcome", outcome));
  }

  private OptionalLong counted(String name, Tags of) {
    Collection<Counter> counters = registry.find(name).tags(of).counters();
    return counters.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of((long) counters.stream().mapToDouble(Counter::count).sum());
  }

  /** Returns the sum of the gauges; empty if one of them is NaN. */
  private OptionalLong gauge(String name) {
    Collection<Gauge> gauges = registry.find(name).tags(tags).gauges();
    double sum = gauges.stream().mapToDouble(Gauge::value).sum();
    return gauges.isEmpty() || Double.isNaN(sum)
        ? OptionalLong.empty()
        : OptionalLong.of((long) sum);
  }

  /** Returns the 99th percentile of the handler's calls in milliseconds, if the timers have it. */
  private OptionalLong slowest() {
    return registry.find("hapax.handler.calls").tags(tags).timers().stream()
        .flatMap(timer -> Arrays.stream(timer.takeSnapshot().percentileValues()))
        .filter(it -> it.percentile() == P99)
        .mapToLong(it -> Math.round(it.value(TimeUnit.MILLISECONDS)))
        .max();
  }

  /** Returns the lag: messages that are not read yet, and messages that are not committed yet. */
  private OptionalLong lag() {
    OptionalLong unread = gauge("hapax.consumer.lag");
    OptionalLong uncommitted = gauge("hapax.commit.lag");
    return unread.isEmpty() || uncommitted.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(unread.getAsLong() + uncommitted.getAsLong());
  }

  @Override
  public Duplicates duplicates() {
    OptionalLong duplicates = outcomes("duplicate");
    OptionalLong executed = outcomes("executed");
    OptionalLong messages = duplicates.isEmpty() || executed.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(duplicates.getAsLong() + executed.getAsLong());
    return new Duplicates(messages, duplicates, ages());
  }

  /** Returns the histogram. The buckets of the registry are cumulative. */
  private List<Bucket> ages() {
    Timer timer = registry.find("hapax.duplicates.age").tags(tags).timer();
    List<Bucket> ages = new ArrayList<>();
    if (timer == null) {
      return ages;
    }
    long before = 0;
    for (CountAtBucket bucket : timer.takeSnapshot().histogramCounts()) {
      long upTo = (long) bucket.count();
      Duration age = Duration.ofSeconds((long) bucket.bucket(TimeUnit.SECONDS));
      ages.add(new Bucket(age, upTo - before, age.compareTo(window) > 0));
      before = upTo;
    }
    return ages;
  }

  @Override
  public OptionalLong conflicts() {
    return counted("hapax.conflicts", tags);
  }
}
