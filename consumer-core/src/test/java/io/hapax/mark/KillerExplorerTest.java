package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.ClaimAnswer.Suspect;
import io.hapax.mark.ExploredInvariants.Broken;
import io.hapax.mark.KillerWorld.Rules;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Explores all small worlds in which one message kills every process that runs it, and says what
 * that costs the messages beside it. The world is {@link KillerWorld} around the machine itself.
 */
@DisplayName("all small worlds with a message that kills its process")
@Timeout(120)
class KillerExplorerTest {

  /** Walks through all worlds; a breach is thrown with the way to it. */
  private static int explore(KillerWorld first, Rules rules) {
    Map<KillerWorld, Optional<KillerWorld>> before = new HashMap<>();
    Queue<KillerWorld> open = new ArrayDeque<>();
    before.put(first, Optional.empty());
    open.add(first);
    boolean ends = false;
    while (!open.isEmpty()) {
      KillerWorld world = open.remove();
      ends |= world.isOver();
      for (KillerWorld next : nextOf(world, rules, before)) {
        if (before.putIfAbsent(next, Optional.of(world)) == null) {
          open.add(next);
        }
      }
    }
    assertThat(ends)
        .as("the killer is dead and the others are done in some world")
        .isTrue();
    return before.size();
  }

  private static List<KillerWorld> nextOf(
      KillerWorld world, Rules rules, Map<KillerWorld, Optional<KillerWorld>> before) {
    try {
      return world.next(rules);
    } catch (Broken broken) {
      StringBuilder way = new StringBuilder();
      for (Optional<KillerWorld> at = Optional.of(world);
          at.isPresent();
          at = before.getOrDefault(at.get(), Optional.empty())) {
        way.insert(0, "\n" + at.get());
      }
      throw new AssertionError(broken.getMessage() + " after" + way, broken);
    }
  }

  @DisplayName("invariant 10: an innocent message loses at most one attempt to a killer")
  @ParameterizedTest(name = "{0} innocent, {1} processes, {2} crashes, {3} failures")
  @CsvSource({"1, 2, 3, 0", "2, 1, 3, 0", "2, 2, 1, 0", "2, 1, 0, 2"})
  void an_innocent_message_loses_at_most_one_attempt_to_a_killer(
      int innocent, int processes, int crashes, int failures) {
    int worlds = explore(KillerWorld.atFirst(innocent, processes, crashes, failures), new Rules());
    System.out.printf("%,d worlds%n", worlds);
    assertThat(worlds).isGreaterThan(1_000);
  }

  private static void assertBreaks(Rules rules, int crashes, int failures) {
    assertThatThrownBy(() -> explore(KillerWorld.atFirst(1, 2, crashes, failures), rules))
        .hasCauseInstanceOf(Broken.class)
        .hasMessageContaining("invariant 10: an innocent message lost");
  }

  @Test
  @DisplayName("invariant 10: what was lost alone must not run beside other suspects")
  void messages_that_were_lost_alone_run_together() {
    assertBreaks(
        new Rules() {
          @Override
          boolean runsAlone(Suspect suspect) {
            return false;
          }
        },
        0,
        0);
  }

  @Test
  @DisplayName("invariant 10: a suspect on its last attempt must not run beside others")
  void suspects_on_their_last_attempt_run_together() {
    assertBreaks(
        new Rules() {
          @Override
          boolean runsAlone(Suspect suspect) {
            return suspect.lost().solo();
          }
        },
        0,
        2);
  }
}
