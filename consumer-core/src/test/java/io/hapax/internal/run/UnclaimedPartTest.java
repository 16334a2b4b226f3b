package io.hapax.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import io.hapax.internal.message.TestMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnclaimedPartTest {

  private final TestMessages messages = new TestMessages();
  private final OpenLane lane = new OpenLane();
  private final List<String> begun = new ArrayList<>();
  private final InFlightMessage<String> a = messages.message("A");
  private final InFlightMessage<String> b = messages.message("B");
  private final UnclaimedPart<String> first = append(a);
  private final UnclaimedPart<String> second = append(b);

  private UnclaimedPart<String> append(InFlightMessage<String> message) {
    UnclaimedPart<String> part = new UnclaimedPart<>(
        lane,
        List.of(message),
        messages.outcomes,
        messages.tasks,
        it -> begun.add(it.items().getFirst().incoming.message()));
    lane.append(part);
    return part;
  }

  @Test
  void a_part_begins_once_when_its_turn_has_come() {
    first.turn();
    second.turn();
    assertThat(begun).containsExactly("A");

    first.pass();

    assertThat(begun).containsExactly("A", "B");
  }

  @Test
  void a_stop_gives_up_what_is_not_claimed_and_the_parts_behind() {
    first.stop(Deferrals.behind(Duration.ofSeconds(1)));

    assertThat(List.of(a, b)).allMatch(it -> TestMessages.deferral(it).reason() == Reason.BLOCKED);
    assertThat(begun).containsExactly("A");
  }

  @Test
  void the_end_of_a_submission_lets_the_next_part_begin() {
    messages.outcomes.finish(a, new Outcome.Executed(7, 1));

    first.end();

    assertThat(begun).containsExactly("A", "B");
  }

  @Test
  void a_submission_that_ends_with_a_deferral_stops_its_lane() {
    messages.outcomes.finish(a, Deferrals.busy(Duration.ofSeconds(9)));

    first.end();

    assertThat(TestMessages.deferral(b)).isEqualTo(Deferrals.behind(Duration.ofSeconds(9)));
    assertThat(begun).containsExactly("A");
  }
}
