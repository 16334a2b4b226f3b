package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.mark.ExploredInvariants.Broken;
import io.hapax.mark.MarkExplorer.Bounds;
import io.hapax.mark.MarkExplorer.Findings;
import java.util.Deque;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Explores all small worlds, and breaks the machine and its users on purpose to see that the
 * explorer finds it. Counts are asserted from below only: they show that the worlds were explored.
 * The largest worlds take a minute; they are explored with {@code -Dhapax.explorer=full}.
 */
@DisplayName("all small worlds")
@Timeout(600)
class MarkExplorerTest {

  private static final boolean FULL = "full".equals(System.getProperty("hapax.explorer"));

  static Stream<Arguments> worlds() {
    Stream<Arguments> small = Stream.of(
        arguments(new Bounds(1, 3, 2, 3), 50_000),
        arguments(new Bounds(2, 2, 2, 2), 90_000),
        arguments(new Bounds(2, 3, 2, 1), 25_000));
    Stream<Arguments> large = Stream.of(
        arguments(new Bounds(1, 3, 2, 4), 300_000),
        arguments(new Bounds(2, 2, 2, 3), 1_000_000),
        arguments(new Bounds(2, 3, 2, 2), 1_000_000));
    return FULL ? Stream.concat(small, large) : small;
  }

  @DisplayName("invariants 1 to 10 hold in every reachable world, and no mark is stuck (14)")
  @ParameterizedTest(name = "{0}")
  @MethodSource("worlds")
  void no_step_breaks_an_invariant(Bounds bounds, int atLeastWorlds) {
    long begin = System.nanoTime();
    Findings found = explore(new ExploredStore(), new ExploredClient(), bounds);
    System.out.printf(
        "%s: %,d distinct worlds %s, %,d steps, %.1f s%n",
        bounds, found.sum(), found.worlds(), found.steps(), (System.nanoTime() - begin) / 1e9);
    assertThat(found.way()).as("the way to a broken invariant").isEmpty();
    assertThat(found.sum()).isGreaterThan(atLeastWorlds);
  }

  static Stream<Bounds> smallest() {
    return Stream.of(new Bounds(1, 3, 2, 2), new Bounds(2, 3, 2, 1));
  }

  @ParameterizedTest
  @MethodSource("smallest")
  void worlds_of_one_code_have_the_same_future_whichever_of_them_comes_first(Bounds bounds) {
    Findings depthFirst = new MarkExplorer(new ExploredStore(), new ExploredClient(), bounds)
        .explore(Deque::removeLast);

    assertThat(depthFirst).isEqualTo(explore(new ExploredStore(), new ExploredClient(), bounds));
  }

  private static Findings explore(ExploredStore store, ExploredClient client, Bounds bounds) {
    return new MarkExplorer(store, client, bounds).explore();
  }

  private static void assertBreaks(int invariant, ExploredStore store, ExploredClient client) {
    Findings found = explore(store, client, new Bounds(2, 2, 2, 2));
    String mutant =
        (store.getClass() == ExploredStore.class ? client : store).getClass().getSimpleName();
    System.out.printf("%s, after %,d worlds: %s%n", mutant, found.sum(), found.way());
    assertThat(found.broken().map(Broken::invariant)).as("%s", found.way()).contains(invariant);
    assertThat(found.way()).last().asString().contains("invariant " + invariant);
  }

  @DisplayName("a broken machine is caught")
  @ParameterizedTest(name = "invariant {0}: {1}")
  @MethodSource("io.hapax.mark.MarkMutants#all")
  void a_broken_machine_is_caught(int invariant, String rule, ExploredStore mutant) {
    assertBreaks(invariant, mutant, new ExploredClient());
  }

  @DisplayName("a broken user of a sound machine is caught")
  @ParameterizedTest(name = "invariant {0}: {1}")
  @MethodSource("io.hapax.mark.ClientMutants#all")
  void a_broken_user_of_a_sound_machine_is_caught(
      int invariant, String rule, ExploredClient mutant) {
    assertBreaks(invariant, new ExploredStore(), mutant);
  }
}
