package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialLane;
import io.hapax.console.trial.TrialLevel;
import io.hapax.console.trial.TrialOrder;
import io.hapax.console.trial.TrialStep;
import io.hapax.console.trial.TrialStep.Kind;
import io.hapax.console.trial.TrialStory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Decides when the result of an action is final, for each lane. */
class LiveStoryTest {

  private static final OptionalLong NONE = OptionalLong.of(0);
  private static final long SECOND = 1_000_000_000;

  private final LaneStory loop = new LaneStory(TrialLane.LOOP, false);
  private final LiveStory story = new LiveStory(TrialAction.KILL, Instant.EPOCH);

  private void judge(TrialLane lane) {
    List<TrialOrder> orders = List.of(new TrialOrder("a", 1, 2, true));
    story.judge(lane, new LaneReading(System.nanoTime(), true, OptionalLong.of(0), orders));
  }

  @Test
  void only_what_was_read_after_the_action_is_judged() {
    LaneReading early = new LaneReading(System.nanoTime(), true, OptionalLong.of(0), List.of());
    story.counts(List.of("a"));

    judge(TrialLane.LOOP);
    assertThat(levels()).containsExactly(TrialLevel.PENDING, TrialLevel.PENDING);
    story.done();
    story.judge(TrialLane.LOOP, early);

    assertThat(levels()).containsExactly(TrialLevel.PENDING, TrialLevel.PENDING);
  }

  @Test
  void each_lane_gets_its_own_result_and_keeps_it() {
    story.begin(TrialStep.of(Kind.PLACED, 1));
    story.counts(List.of("a"));
    story.done();

    judge(TrialLane.LOOP);
    assertThat(levels()).containsExactly(TrialLevel.PENDING, TrialLevel.BAD);
    assertThat(story.isOpen()).isTrue();
    judge(TrialLane.HAPAX);
    story.fail("too late");

    assertThat(levels()).containsExactly(TrialLevel.GOOD, TrialLevel.BAD);
    assertThat(story.isOpen()).isFalse();
    assertThat(story.show(0).begun()).containsExactly(TrialStep.of(Kind.PLACED, 1));
  }

  private List<TrialLevel> levels() {
    return story.show(0).parts().stream().map(TrialStory.Part::level).toList();
  }

  private static LaneReading reading(boolean running, OptionalLong lag, TrialOrder... orders) {
    return new LaneReading(0, running, lag, List.of(orders));
  }

  private static TrialOrder order(String id, long loop) {
    return new TrialOrder(id, 1, loop, true);
  }

  private static TrialStep last(LaneStory story) {
    List<TrialStep> steps = story.show(0).steps();
    return steps.get(steps.size() - 1);
  }

  private TrialStep judged(LaneReading reading) {
    loop.judge(reading, Set.of("a", "b"));
    return last(loop);
  }

  @Test
  void a_result_waits_for_processes_then_orders_then_acknowledgements() {
    assertThat(judged(reading(false, NONE, order("a", 1), order("b", 1))))
        .isEqualTo(TrialStep.of(Kind.STARTING));
    assertThat(judged(reading(true, NONE, order("a", 2), order("b", 0))))
        .isEqualTo(TrialStep.of(Kind.WAITING, 1L));
    assertThat(judged(reading(true, OptionalLong.empty(), order("a", 2), order("b", 1))))
        .isEqualTo(TrialStep.of(Kind.CHECKING));
    assertThat(judged(reading(true, OptionalLong.of(7), order("a", 2), order("b", 1))))
        .isEqualTo(TrialStep.of(Kind.UNACKNOWLEDGED, 7L));
    assertThat(loop.isOpen()).isTrue();
    assertThat(loop.show(0).level()).isEqualTo(TrialLevel.PENDING);
  }

  @Test
  void a_final_result_counts_the_orders_of_the_action_only() {
    assertThat(judged(reading(true, NONE, order("earlier", 3), order("a", 2), order("b", 1))))
        .isEqualTo(TrialStep.of(Kind.BOOKED, 1L, 2L));
    assertThat(loop.isOpen()).isFalse();
    assertThat(loop.show(0).level()).isEqualTo(TrialLevel.BAD);
  }

  @Test
  void an_explained_repeat_is_neither_good_nor_bad() {
    LaneStory hapax = new LaneStory(TrialLane.HAPAX, false);

    hapax.judge(reading(true, NONE, new TrialOrder("a", 2, 9, true)), Set.of("a"));

    assertThat(last(hapax)).isEqualTo(TrialStep.of(Kind.BOOKED_EXPLAINED, 1L, 1L));
    assertThat(hapax.show(0).level()).isEqualTo(TrialLevel.EXPLAINED);
  }

  @Test
  void an_expected_event_is_counted_down_until_it_is_due_or_the_result_is_final() {
    loop.expect(Kind.NOTICES, 6 * SECOND, "Kafka");
    loop.expect(Kind.THAWS, 9 * SECOND);

    assertThat(loop.show(SECOND).steps()).containsExactly(TrialStep.of(Kind.NOTICES, "Kafka", 5L));
    assertThat(loop.show(6 * SECOND).steps()).containsExactly(TrialStep.of(Kind.THAWS, 3L));
    assertThat(loop.show(9 * SECOND).steps()).containsExactly(TrialStep.of(Kind.HOLDING));
    judged(reading(true, NONE, order("a", 1), order("b", 1)));
    assertThat(loop.show(SECOND).steps()).containsExactly(TrialStep.of(Kind.BOOKED, 0L, 2L));
    assertThat(loop.show(SECOND).level()).isEqualTo(TrialLevel.GOOD);
  }

  @Test
  void what_others_take_over_is_a_step_before_the_last_one() {
    TrialStep killed = TrialStep.of(Kind.KILLED, "hapax-1", 9);
    TrialStep taken = TrialStep.of(Kind.TAKEN_OVER, "3.0", "hapax-2", 9);

    loop.add(killed, () -> Optional.of(taken));

    assertThat(loop.show(0).steps()).containsExactly(killed, taken, TrialStep.of(Kind.HOLDING));
    judged(reading(true, NONE, order("a", 1), order("b", 1)));
    assertThat(loop.show(0).steps())
        .containsExactly(killed, taken, TrialStep.of(Kind.BOOKED, 0L, 2L));
  }

  @Test
  void a_failed_action_has_a_result() {
    loop.fail("the group runs");

    assertThat(last(loop)).isEqualTo(TrialStep.of(Kind.FAILED, "the group runs"));
    assertThat(loop.isOpen()).isFalse();
  }
}
