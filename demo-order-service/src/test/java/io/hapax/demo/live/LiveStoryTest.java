package io.hapax.demo.live;

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
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LiveStoryTest {

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
}
