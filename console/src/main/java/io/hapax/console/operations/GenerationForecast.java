package io.hapax.console.operations;

import io.hapax.generation.GenerationMove;
import io.hapax.generation.GenerationMove.GroupRuns;
import io.hapax.generation.GenerationMove.Moved;
import io.hapax.generation.GenerationMove.Unexpected;
import io.hapax.generation.Generations;
import io.hapax.mark.ConsumerScope;
import io.hapax.mark.Mark;
import io.hapax.store.MarkAdmin;
import io.hapax.store.MarkQuery;
import java.util.List;

/** Plans a move to the next generation, as a dry run. */
public final class GenerationForecast {

  private static final int NAMED = 100;

  private GenerationForecast() {}

  /** {@return the result that the move would have now} Changes nothing. */
  public static GenerationMove of(MarkAdmin marks, String consumer, int from) {
    int current = Generations.current(marks, consumer);
    if (current != from) {
      return new Unexpected(current);
    }
    String scope = new ConsumerScope(consumer, from).joined();
    List<Mark> leased = marks.list(MarkQuery.first(scope, MarkQuery.Kind.LEASED, NAMED));
    return leased.isEmpty() ? new Moved(from + 1) : new GroupRuns(leased);
  }
}
