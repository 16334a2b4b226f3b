package io.hapax.bench;

import static io.hapax.bench.Benchmark.format;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A table of the rates of consumers, with ratios to the rates of others in the same run. */
record RateTable<S extends RateTable.Subject>(int width, String unit, List<Ratio<S>> ratios) {

  /** A measured consumer, or what it is compared with. */
  interface Subject {

    String title();
  }

  /** A column with ratios to a base; empty for a subject that has none, or one not measured. */
  record Ratio<S>(String title, int width, boolean percent, Function<S, Optional<S>> base) {

    String of(S subject, Spread own, Map<S, Spread> rates) {
      return base.apply(subject)
          .map(rates::get)
          .map(own::times)
          .map(it -> percent ? format("%.0f %%", 100 * it) : format("%.2f", it))
          .orElse("");
    }
  }

  String text(Map<S, Spread> rates) {
    StringBuilder text = new StringBuilder(line("", unit + "/s", "+-", Ratio::title));
    rates.forEach((subject, rate) -> text.append(line(
        subject.title(),
        format("%,.0f", rate.median()),
        format("%.0f %%", rate.percent()),
        ratio -> ratio.of(subject, rate, rates))));
    return text.toString();
  }

  private String line(String title, String rate, String spread, Function<Ratio<S>, String> cell) {
    StringBuilder line =
        new StringBuilder(format("  %-" + width + "s %11s %6s", title, rate, spread));
    ratios.forEach(it -> line.append(format(" %" + it.width() + "s", cell.apply(it))));
    return line.append('\n').toString();
  }
}
