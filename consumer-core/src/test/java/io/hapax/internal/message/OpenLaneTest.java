package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome.Deferred;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenLaneTest {

  private static final Deferred BEHIND = Deferrals.behind(Duration.ofSeconds(1));

  private final OpenLane lane = new OpenLane();
  private final List<String> events = new ArrayList<>();

  private final class Named extends OpenLane.Part {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public void turn() {
      if (lane.isTurnOf(this)) {
        events.add(name);
      }
    }

    @Override
    public void giveUp(Deferred because) {
      events.add("not " + name);
    }
  }

  private Named append(String name) {
    Named part = new Named(name);
    lane.append(part);
    return part;
  }

  @Test
  void a_part_has_its_turn_once_those_before_it_have_passed() {
    Named a = append("a");
    Named b = append("b");
    append("c");
    assertThat(events).containsExactly("a");

    lane.passed(a);
    assertThat(events).containsExactly("a", "b");
    lane.passed(b);

    assertThat(events).containsExactly("a", "b", "c");
  }

  @Test
  void a_part_that_passes_before_its_turn_ends_nothing() {
    append("a");
    Named b = append("b");
    Named c = append("c");

    lane.passed(b);

    assertThat(lane.isTurnOf(b)).isFalse();
    assertThat(lane.isTurnOf(c)).isFalse();
    assertThat(events).doesNotContain("b", "c");
  }

  @Test
  void a_stop_gives_up_the_parts_behind_it_and_later_ones() {
    Named a = append("a");
    Named b = append("b");
    append("c");
    append("d");

    lane.stopped(b, BEHIND);
    append("e");
    assertThat(events).containsExactly("a", "not c", "not d", "not e");
    lane.passed(a);

    assertThat(events).containsExactly("a", "not c", "not d", "not e", "b");
  }

  @Test
  void a_part_that_has_passed_stops_nothing() {
    Named a = append("a");
    Named b = append("b");
    lane.passed(a);

    lane.stopped(a, BEHIND);
    append("c");
    lane.passed(b);

    assertThat(events).containsExactly("a", "b", "c");
  }
}
