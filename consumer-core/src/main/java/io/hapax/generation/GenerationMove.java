package io.hapax.generation;

import io.hapax.mark.Mark;
import java.util.List;

/** What became of {@link Generations#advance}. */
public sealed interface GenerationMove {

  /**
   * It was moved. Receivers that are built from now on know nothing of what was done before.
   *
   * @param generation the new one
   */
  record Moved(int generation) implements GenerationMove {}

  /**
   * Nothing was changed: the generation is not the expected one. So it is when somebody else moved
   * it, and when an earlier call did whose answer was lost.
   *
   * @param current the one that it is
   */
  record Unexpected(int current) implements GenerationMove {}

  /**
   * Nothing was changed: receivers of the consumer are at work. Stop them; one that was killed has
   * its leases for as long as they last, 30 seconds by default.
   *
   * @param leased marks with a living lease, up to a hundred of them; their
   *     {@code claim().origin().owner()} says who
   */
  record GroupRuns(List<Mark> leased) implements GenerationMove {

    /**
     * Copies the list.
     *
     * @param leased not empty
     * @throws IllegalArgumentException if there is none
     */
    public GroupRuns {
      leased = List.copyOf(leased);
      if (leased.isEmpty()) {
        throw new IllegalArgumentException("leased is empty but must name who is at work");
      }
    }
  }
}
