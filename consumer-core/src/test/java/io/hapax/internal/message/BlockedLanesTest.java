package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BlockedLanesTest {

  private static final Deferred RETRY = new Deferred(Reason.RETRY, Duration.ofSeconds(9), "");

  private final TestMessages messages = new TestMessages();
  private final BlockedLanes lanes = new BlockedLanes();

  @Test
  void a_deferred_message_stops_the_lane_and_those_behind_wait_as_long() {
    List<InFlightMessage<String>> lane = messages.read("A", "B");
    messages.outcomes.finish(lane.get(0), RETRY);

    lanes.after(lane.get(0));

    assertThat(lanes.stopped(lane.get(1))).isTrue();
    assertThat(lanes.behind(lane.get(1)))
        .isEqualTo(new Deferred(Reason.BLOCKED, RETRY.after(), ""));
  }

  @Test
  void the_first_deferral_decides() {
    InFlightMessage<String> message = messages.message("A");
    lanes.at(message, Optional.of(RETRY));

    lanes.at(message, Optional.of(BlockedLanes.SHORTLY));

    assertThat(lanes.behind(message)).isEqualTo(Deferrals.behind(RETRY.after()));
  }

  @Test
  void a_message_without_an_outcome_stops_the_lane_for_a_short_time() {
    InFlightMessage<String> message = messages.message("A");

    lanes.after(message);

    assertThat(lanes.behind(message)).isEqualTo(Deferrals.behind(BlockedLanes.SHORTLY.after()));
  }

  @Test
  void a_finished_message_stops_nothing() {
    InFlightMessage<String> message = messages.message("A");
    messages.outcomes.finish(message, new Outcome.Executed(7, 1));

    lanes.after(message);

    assertThat(lanes.stopped(message)).isFalse();
  }

  @Test
  void a_lane_without_order_never_stops() {
    InFlightMessage<String> message = InFlightMessage.unmarked(
        messages.message("A").batch,
        0,
        new Incoming<>("A", "p0", false, "p0@0", false, Incoming.NO_TIMESTAMP),
        Optional.empty());

    lanes.at(message, Optional.of(RETRY));

    assertThat(lanes.stopped(message)).isFalse();
  }
}
