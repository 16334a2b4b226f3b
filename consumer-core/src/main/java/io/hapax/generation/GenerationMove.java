package io.hapax.generation;

import io.hapax.mark.Mark;
import java.util.List;

/** The result of {@link Generations#advance}. */
public sealed interface GenerationMove {

  /**
   * The generation was moved. Receivers that are built from now on see no mark from before.
   *
   * @param generation the new generation
   */
  record Moved(int generation) implements GenerationMove {}

  /**
   * Nothing was changed: the generation is not the expected one. Another caller has moved it, or an
   * earlier call whose answer was lost.
   *
   * @param current the present generation
   */
  record Unexpected(int current) implements GenerationMove {}

  /**
   * Nothing was changed: receivers of the consumer hold leases. Stop the receivers. The leases of a
   * killed receiver expire after 30 seconds by default.
   *
   * @param leased marks with a lease that is alive, one to a hundred; their owners are in
   *     {@code claim().origin().owner()}
   */
  record GroupRuns(List<Mark> leased) implements GenerationMove {}
}
