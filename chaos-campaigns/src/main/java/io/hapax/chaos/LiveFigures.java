package io.hapax.chaos;

import io.hapax.console.figures.Figures;
import io.hapax.console.view.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Adds the reports of the consumers with Hapax to the figures of the store and the broker. */
final class LiveFigures implements Figures {

  private final Supplier<LiveCounts> reports;
  private final Figures store;

  /**
   * Creates a reader.
   *
   * @param reports returns the reports
   * @param store the figures of the store and the broker; closed with this reader
   */
  LiveFigures(Supplier<LiveCounts> reports, Figures store) {
    this.reports = reports;
    this.store = store;
  }

  @Override
  public Snapshot read() {
    LiveCounts counts = reports.get();
    List<Figure> figures = new ArrayList<>();
    figures.add(figure("executed", counts.executed(), false));
    figures.add(figure("duplicates", counts.duplicates(), false));
    figures.add(figure("busy", counts.busy(), false));
    figures.add(figure("takeovers", counts.takeovers(), counts.takeovers() > 0));
    Snapshot known = store.read();
    figures.addAll(known.figures());
    return new Snapshot(figures, known.problems());
  }

  private static Figure figure(String name, long value, boolean attention) {
    return new Figure(name, OptionalLong.of(value), true, attention);
  }

  @Override
  public Duplicates duplicates() {
    LiveCounts counts = reports.get();
    return new Duplicates(
        OptionalLong.of(counts.executed() + counts.duplicates()),
        OptionalLong.of(counts.duplicates()),
        List.of());
  }

  @Override
  public void close() {
    store.close();
  }
}
