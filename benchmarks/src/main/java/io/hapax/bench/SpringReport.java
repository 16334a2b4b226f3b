package io.hapax.bench;

import static io.hapax.bench.JsonFile.rounded;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The results of a benchmark of Spring listeners as text and as JSON.
 *
 * @param date the start of the run
 * @param setup the settings
 * @param machine the machine
 * @param load the machine's load average at the end
 * @param rates records a second
 */
record SpringReport(
    Instant date,
    SpringSetup setup,
    Map<String, String> machine,
    double load,
    Map<SpringSubject, Spread> rates) {

  private static final double TIMES_REDIS_BY_HAND = 3;
  private static final double TIMES_NAIVE = 2;

  private double rate(SpringSubject subject) {
    return Objects.requireNonNull(rates.get(subject)).median();
  }

  /** Returns what a listener is compared with; empty for a baseline. */
  private static Optional<SpringSubject> baseline(SpringSubject subject) {
    return switch (subject) {
      case REDIS -> Optional.of(SpringSubject.REDIS_BY_HAND);
      case TRANSACTIONAL, SQL_BY_HAND -> Optional.of(SpringSubject.NAIVE);
      case BARE, REDIS_BY_HAND, NAIVE -> Optional.empty();
    };
  }

  /** Returns how many times as fast as its baseline a listener is. */
  Optional<Double> times(SpringSubject subject) {
    return baseline(subject).map(base -> rate(subject) / rate(base));
  }

  /** Returns whether the target was reached; empty without a target. */
  Optional<Boolean> reached(SpringSubject subject) {
    return switch (subject) {
      case REDIS -> times(subject).map(it -> it >= TIMES_REDIS_BY_HAND);
      case TRANSACTIONAL -> times(subject).map(it -> it >= TIMES_NAIVE);
      case BARE, REDIS_BY_HAND, NAIVE, SQL_BY_HAND -> Optional.empty();
    };
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(format(
        "%nHapax, Spring Kafka listeners: records a second, median of %d rounds of at most %.1f s; %s%n",
        setup.length().rounds(), setup.length().seconds(), date));
    text.append(format(
        "  %,d records in %d partitions, concurrency %d; machine: %s, load %.1f%n%n",
        setup.messages(), setup.partitions(), setup.concurrency(), Machine.text(machine), load));
    text.append(format("  %-32s %11s %6s %22s%n", "", "records/s", "+-", "times its baseline"));
    rates.forEach((subject, spread) -> text.append(line(subject, spread)));
    text.append(format(
        "%nAims: Redis %.0f x by hand; transactional %.0f x the listener that commits each record.%n"
            + "The first %,d records of each partition do not count with @Idempotent: one-by-one mode.%n",
        TIMES_REDIS_BY_HAND, TIMES_NAIVE, setup.skipped(SpringSubject.TRANSACTIONAL)));
    return text.toString();
  }

  private String line(SpringSubject subject, Spread spread) {
    String times = times(subject).map(it -> format("%.2f", it)).orElse("");
    String aim = reached(subject).map(it -> it ? "  reached" : "  MISSED").orElse("");
    return format(
        "  %-32s %,11.0f %4.0f %% %22s%s%n",
        subject.title(), spread.median(), spread.percent(), times, aim);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("benchmark", "spring");
    json.put("date", date.toString());
    json.put("machine", machine);
    json.put("load", load);
    json.put("messages", setup.messages());
    json.put("partitions", setup.partitions());
    json.put("concurrency", setup.concurrency());
    json.put("seconds", setup.length().seconds());
    json.put("rounds", setup.length().rounds());
    rates.forEach((subject, spread) ->
        json.put(subject.name().toLowerCase(Locale.ROOT), figures(subject, spread)));
    return json;
  }

  private Map<String, Object> figures(SpringSubject subject, Spread spread) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("recordsPerSecond", rounded(spread.median(), 0));
    figures.put("low", rounded(spread.low(), 0));
    figures.put("high", rounded(spread.high(), 0));
    times(subject).ifPresent(it -> figures.put("timesBaseline", rounded(it, 3)));
    reached(subject).ifPresent(it -> figures.put("reached", it));
    return figures;
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
