package io.hapax.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many worlds, each from its seed. More of them: {@code -Dhapax.simulation.seeds=20000}; one again,
 * with everything that happens in it: {@code -Dhapax.simulation.seed=4711}.
 */
@Timeout(3600)
@DisplayName("invariants 1, 2, 3, 8, 9, 10, 12, 14 and 16: the real engine in simulated worlds")
class SimulationTest {

  private static final long SEEDS = Long.getLong("hapax.simulation.seeds", 1_000);

  private static final long SEED = Long.getLong("hapax.simulation.seed", -1);

  private static LongStream seeds() {
    return SEED >= 0 ? LongStream.of(SEED) : LongStream.range(0, SEEDS);
  }

  @Test
  void in_no_world_is_a_rule_broken() {
    Tally tally = new Tally();
    List<Story> broken = seeds()
        .parallel()
        .mapToObj(seed -> Story.of(seed, Set.of(), SEED >= 0))
        .peek(SimulationTest::tellIfAsked)
        .peek(story -> tally.add(story.tally()))
        .filter(story -> !story.violations().isEmpty())
        .toList();

    assertThat(broken.stream().limit(3).map(story -> story.again().told())).isEmpty();
    String which = SEED >= 0 ? "seed " + SEED : "seeds 0 to " + (SEEDS - 1);
    System.out.println("Simulated worlds, " + which + ": " + tally);
  }

  private static void tellIfAsked(Story story) {
    if (SEED >= 0) {
      System.out.println(story.told());
    }
  }

  @Test
  void the_worlds_are_not_quiet() {
    Tally tally = new Tally();
    Set<Object> kinds = new HashSet<>();
    for (long seed = 0; seed < 200; seed++) {
      Story story = Story.of(seed, Set.of(), false);
      tally.add(story.tally());
      kinds.addAll(
          List.of(story.plan().mode(), story.plan().broker(), story.plan().policy()));
      kinds.add(story.plan().lanes());
      kinds.addAll(story.plan().faults());
    }

    assertThat(kinds)
        .contains((Object[]) Plan.Mode.values())
        .contains((Object[]) Plan.Broker.values())
        .contains((Object[]) Plan.Policy.values())
        .contains((Object[]) Plan.Fault.values())
        .contains((Object[]) Plan.Lanes.values());
    assertThat(tally.repeats).as("%s", tally).isGreaterThan(10);
    assertThat(tally.takeovers).as("%s", tally).isGreaterThan(20);
    assertThat(tally.fenced).as("%s", tally).isGreaterThan(2);
    assertThat(tally.losses).as("%s", tally).isGreaterThan(20);
    assertThat(tally.deadLetters).as("%s", tally).isGreaterThan(10);
    assertThat(tally.redriven).as("%s", tally).isGreaterThan(2);
    assertThat(tally.lookups).as("%s", tally).isGreaterThan(20);
    assertThat(tally.ahead).as("%s", tally).isGreaterThan(100);
    assertThat(tally.handledHere).as("%s", tally).isGreaterThan(100);
    assertThat(tally.crashes).as("%s", tally).isGreaterThan(20);
    assertThat(tally.freezes).as("%s", tally).isGreaterThan(20);
    assertThat(tally.rebalances).as("%s", tally).isGreaterThan(20);
    assertThat(tally.failedCalls).as("%s", tally).isGreaterThan(100);
  }

  @Test
  void the_same_seed_gives_the_same_history() {
    for (long seed = 0; seed < 20; seed++) {
      assertThat(Story.of(seed, Set.of(), true).happened())
          .isEqualTo(Story.of(seed, Set.of(), true).happened());
    }
  }
}
