package io.hapax.chaos;

import io.hapax.console.figures.Figures;
import io.hapax.console.view.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Adds the reports of the consumers with Hapax to the figures of the store and the broker. */
record LiveFigures(Consumers consumers, Figures store) implements Figures {

  @Override
  public Snapshot read() {
    int takeovers = consumers.recoveries().size();
    List<Figure> figures = new ArrayList<>(List.of(
        figure("executed", consumers.count(Reports.Ending.EXECUTED), false),
        figure("duplicates", consumers.count(Reports.Ending.DUPLICATE), false),
        figure("busy", consumers.count(Reports.Ending.DEFERRED), false),
        figure("takeovers", takeovers, takeovers > 0)));
    Snapshot known = store.read();
    figures.addAll(known.figures());
    return new Snapshot(figures, known.problems());
  }

  private static Figure figure(String name, long value, boolean attention) {
    return new Figure(name, OptionalLong.of(value), true, attention);
  }

  @Override
  public Duplicates duplicates() {
    int duplicates = consumers.count(Reports.Ending.DUPLICATE);
    return new Duplicates(
        OptionalLong.of(consumers.count(Reports.Ending.EXECUTED) + (long) duplicates),
        OptionalLong.of(duplicates),
        List.of());
  }

  @Override
  public void close() {
    store.close();
  }
}
