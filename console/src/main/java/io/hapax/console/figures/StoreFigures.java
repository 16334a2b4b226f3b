package io.hapax.console.figures;

import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.FailureTexts;
import io.hapax.console.view.Figure;
import io.hapax.console.view.ProblemRow;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.replay.GroupStatus;
import io.hapax.store.MarkQuery;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads figures from the store and the broker, for a console outside of the application. Only the
 * application counts executed messages and duplicates.
 */
public final class StoreFigures implements Figures {

  private static final int MOST = MarkQuery.MAX_LIMIT;

  private final Deployment deployment;
  private final MarkOperations marks;
  private final InstantSource clock;
  private final Map<String, Instant> since = new HashMap<>();
  private Optional<GroupReplay> group = Optional.empty();

  /** Creates a reader. */
  public StoreFigures(Deployment deployment, InstantSource clock) {
    this.deployment = deployment;
    this.marks = new MarkOperations(deployment.store(), deployment.consumer());
    this.clock = clock;
  }

  @Override
  public boolean standalone() {
    return true;
  }

  @Override
  public synchronized Snapshot read() {
    List<Figure> figures = new ArrayList<>();
    List<ProblemRow> problems = new ArrayList<>();
    try {
      for (MarkQuery.Kind kind : MarkQuery.Kind.values()) {
        figures.add(count(kind));
      }
      since.remove("STORE");
    } catch (RuntimeException e) {
      problems.add(problem("STORE", e));
    }
    try {
      status().ifPresent(status -> figures.addAll(0, GroupFigures.lagAndMembers(status)));
      since.remove("BROKER");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      problems.add(problem("BROKER", e));
    }
    figures.add(
        new Figure("problems", OptionalLong.of(problems.size()), true, !problems.isEmpty()));
    return new Snapshot(figures, problems);
  }

  private Figure count(MarkQuery.Kind kind) {
    int count = marks.list(kind, MOST).size();
    String name = kind.name().toLowerCase(Locale.ROOT).replace("_", "");
    boolean attention = kind != MarkQuery.Kind.LEASED && count > 0;
    return new Figure(name, OptionalLong.of(count), count < MOST, attention);
  }

  private Optional<GroupStatus> status() throws Exception {
    if (deployment.broker().isEmpty()
        || deployment.group().isEmpty()
        || deployment.topic().isEmpty()) {
      return Optional.empty();
    }
    if (group.isEmpty()) {
      group = Optional.of(deployment.broker().get().replay(deployment.group()));
    }
    return Optional.of(group.get().status(deployment.topic()));
  }

  private ProblemRow problem(String kind, Exception e) {
    Instant first = since.computeIfAbsent(kind, it -> clock.instant());
    return new ProblemRow(kind, deployment.consumer(), first, FailureTexts.text(e));
  }

  @Override
  public synchronized void close() {
    group.ifPresent(GroupReplay::close);
    group = Optional.empty();
  }
}
