package io.hapax.console.figures;

import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.StoreLimit;
import io.hapax.console.view.Figure;
import io.hapax.console.view.ProblemRow;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.text.TextExceptions;
import io.hapax.store.MarkQuery;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads figures from the store, for a console outside of the application. Only the application
 * counts executed messages and duplicates. Waits for the store for three seconds at most.
 */
public final class StoreFigures implements Figures {

  private static final int MOST = MarkQuery.MAX_LIMIT;

  private final String consumer;
  private final MarkOperations marks;
  private final InstantSource clock;
  private final StoreLimit limit = new StoreLimit(System::nanoTime);
  private Instant answered;
  private Optional<Instant> since = Optional.empty();

  /** Creates a reader. */
  public StoreFigures(Deployment deployment, InstantSource clock) {
    this.consumer = deployment.consumer();
    this.marks = new MarkOperations(deployment.store(), consumer);
    this.clock = clock;
    this.answered = clock.instant();
  }

  @Override
  public boolean standalone() {
    return true;
  }

  @Override
  public synchronized Snapshot read() {
    List<Figure> figures = List.of();
    List<ProblemRow> problems = List.of();
    try {
      figures = limit.call(
          () -> Arrays.stream(MarkQuery.Kind.values()).map(this::count).toList());
      since = Optional.empty();
      answered = clock.instant();
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      since = Optional.of(since.orElseGet(clock::instant));
      problems = List.of(new ProblemRow("STORE", consumer, since.get(), TextExceptions.text(e)));
    }
    return new Snapshot(figures, problems, Map.of("STORE", answered));
  }

  private Figure count(MarkQuery.Kind kind) {
    int count = marks.list(kind, MOST).size();
    String name = kind.name().toLowerCase(Locale.ROOT).replace("_", "");
    boolean attention = kind != MarkQuery.Kind.LEASED && count > 0;
    return new Figure(name, OptionalLong.of(count), count < MOST, attention);
  }
}
