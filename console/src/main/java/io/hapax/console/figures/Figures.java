package io.hapax.console.figures;

import io.hapax.console.view.DuplicatesView.Bucket;
import io.hapax.console.view.Figure;
import io.hapax.console.view.ProblemRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Reads the figures of a consumer, such as its lag. Thread-safe. */
public interface Figures extends AutoCloseable {

  /**
   * The result of one reading.
   *
   * @param figures the figures
   * @param problems the problems
   * @param answered when each source has last answered, by the kind of its problem
   */
  record Snapshot(List<Figure> figures, List<ProblemRow> problems, Map<String, Instant> answered) {

    /** A reading that needs no source but this process. */
    public Snapshot(List<Figure> figures, List<ProblemRow> problems) {
      this(figures, problems, Map.of());
    }
  }

  /**
   * The duplicates since the application started.
   *
   * @param messages the number of messages that the application has finished
   * @param duplicates the number of duplicates among them
   * @param ages the ages of the duplicates, youngest first
   */
  record Duplicates(OptionalLong messages, OptionalLong duplicates, List<Bucket> ages) {

    /** The application reports no duplicates. */
    public static final Duplicates UNKNOWN =
        new Duplicates(OptionalLong.empty(), OptionalLong.empty(), List.of());
  }

  /** {@return the current figures; an unknown one has no value} */
  Snapshot read();

  /** {@return the duplicates, or {@link Duplicates#UNKNOWN}} */
  default Duplicates duplicates() {
    return Duplicates.UNKNOWN;
  }

  /** {@return the number of conflicts since the application started; empty if it is unknown} */
  default OptionalLong conflicts() {
    return OptionalLong.empty();
  }

  /** {@return whether the figures come from store and broker only: not in the application} */
  default boolean standalone() {
    return false;
  }

  /** Closes the connections of this reader. */
  @Override
  default void close() {}
}
