package io.hapax.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How a world went.
 *
 * @param seed where it came from
 * @param mistakes what was done wrong in it
 * @param plan what was settled before
 * @param violations what must not happen and did
 * @param tally how often what happened
 * @param untilRest how long it took to come to rest after the last fault
 * @param happened everything, if that was written down
 */
record Story(
    long seed,
    Set<Mistake> mistakes,
    Plan plan,
    List<Violation> violations,
    Tally tally,
    Duration untilRest,
    List<String> happened) {

  static Story of(long seed, Set<Mistake> mistakes, boolean writingDown) {
    try {
      return new World(seed, mistakes, writingDown).run();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted in the world of seed " + seed, e);
    } catch (RuntimeException e) {
      throw new IllegalStateException("the world of seed " + seed + " broke", e);
    }
  }

  /** The same once more, with everything that happens. */
  Story again() {
    return of(seed, mistakes, true);
  }

  /** For people: how to see it again, and what was seen. */
  String told() {
    return "seed " + seed + " (again: -Dhapax.simulation.seed=" + seed + ")\n"
        + plan + "\n"
        + violations.stream().map(it -> "  " + it).collect(Collectors.joining("\n")) + "\n"
        + String.join("\n", happened);
  }
}
